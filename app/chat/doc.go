// Package chat is conversations with a language model: what is kept of them, the model
// that answers, what fits its context, and the cache that lets an old one go on at once.
//
// Use Service for conversations that are kept, and OpenChat for a model alone. Package
// chats is the store below it; how tokens are made is the work of pipeline.
package chat
