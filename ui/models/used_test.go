package models

import (
	"testing"
	"time"

	"inglenook/app/pool"
)

// A model that lies in memory, loaded for a chat, is never said never to have been used.
func TestLastUsedOfALoadedModel(t *testing.T) {
	var m pool.Installed
	if got := usedText(m); got != "never" {
		t.Errorf("one that was not opened: %q", got)
	}
	m.Open = []pool.OpenModel{{Job: "chat"}}
	if got := usedText(m); got != "it is loaded, and waits for its first work" {
		t.Errorf("one that is loaded: %q", got)
	}
	m.LastUsed = time.Now().Add(-2 * time.Hour)
	if got := usedText(m); got != "2 hours ago" {
		t.Errorf("one that worked: %q", got)
	}
}
