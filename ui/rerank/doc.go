// Package rerank is the panel that puts texts in the order in which they answer a question.
package rerank
