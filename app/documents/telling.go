package documents

import (
	"slices"
	"sync"

	"inglenook/documents/index"
)

// telling reports what happens in a run, one thing at a time.
type telling struct {
	mu     sync.Mutex
	report func(Event) // may be nil
	notes  []string
}

func (t *telling) event(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.report != nil {
		t.report(e)
	}
}

// note reports a sentence, once.
func (t *telling) note(sentence string) {
	t.mu.Lock()
	known := slices.Contains(t.notes, sentence)
	if !known {
		t.notes = append(t.notes, sentence)
	}
	t.mu.Unlock()
	if !known {
		t.event(Event{Kind: index.Noted, Note: sentence})
	}
}
