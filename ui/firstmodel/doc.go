// Package firstmodel is the card that gets a person their first model for chats: one that is
// recommended for this computer, one button, and the download's progress in its place.
package firstmodel
