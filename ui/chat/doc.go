// Package chat is the panel in which a person converses with a language model.
package chat
