// Package sidebyside shows two answers to one message beside each other, or one below the other
// where the window is narrow, each with a button to stop it or to keep it. It knows nothing of
// what an answer looks like.
package sidebyside
