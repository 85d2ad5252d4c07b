// Package remote computes with models on other machines: it implements the small
// interfaces of package pipeline (Writer, Embedder, Reranker) over HTTP.
//
// Use [Recognise] to ask an address what it speaks and which models it has, and [New]
// for one or several addresses that serve the same models. Three forms are known: that
// of OpenAI (vLLM, SGLang, llama-server, Infinity, this program's own server and many
// others), that of Ollama, and that of text-embeddings-inference.
//
// It sends texts only to the addresses that it is given, follows no redirect, and sends
// a token only over https or to this computer. It keeps nothing on disk.
package remote
