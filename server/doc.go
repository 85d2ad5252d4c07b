// Package server answers programs on this computer over HTTP, in the forms that
// their libraries speak: OpenAI's, Anthropic's, Ollama's, and those of rerankers.
//
// It computes nothing: it asks an [App], as the command line does. It listens
// where it is told, refuses what a page of a browser could send from elsewhere,
// opens no connection of its own, fetches no address that a request names, and
// writes no text of a request anywhere.
package server
