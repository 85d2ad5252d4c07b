// Package texts works on texts: it embeds, compares, scores and tokenizes them, and
// reads them from files.
//
// Use it for work with an embedding model or a reranker. Package chat is for models that
// write.
package texts
