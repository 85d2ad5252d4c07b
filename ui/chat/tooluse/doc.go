// Package tooluse shows the tools that a model asks for in a chat: the question whether one
// may run, and what became of it in the answer.
package tooluse
