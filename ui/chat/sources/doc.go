// Package sources has what the Chat panel shows of a person's documents: the passages that
// go with a question, those that a message has, and what supports the sentences of an
// answer.
package sources
