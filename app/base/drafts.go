package base

import (
	"maps"
	"slices"
)

// Draft is a message that is not sent yet.
type Draft struct {
	Text  string      `json:"text,omitempty"`
	Files []DraftFile `json:"files,omitempty"`
}

// DraftFile is a text file that would go with a draft.
type DraftFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// MaxDraft is how many bytes of a draft are kept, and maxDrafts of all together.
const (
	MaxDraft  = 1 << 20
	maxDrafts = 4 << 20
)

// Size is the length of a draft in bytes.
func (d Draft) Size() int {
	size := len(d.Text)
	for _, f := range d.Files {
		size += len(f.Name) + len(f.Text)
	}
	return size
}

// Empty reports whether a draft holds nothing.
func (d Draft) Empty() bool { return d.Text == "" && len(d.Files) == 0 }

// KeepDraft keeps what is being written in a conversation; an empty draft is forgotten. Of
// one that is too long the text alone is kept.
func (s *ChatSettings) KeepDraft(id string, d Draft) {
	if d.Size() > MaxDraft {
		d.Files = nil
	}
	if d.Empty() || d.Size() > MaxDraft {
		delete(s.Drafts, id)
		return
	}
	if s.Drafts == nil {
		s.Drafts = map[string]Draft{}
	}
	s.Drafts[id] = d
}

// cleanDrafts forgets drafts that are longer than the window keeps them.
func (s *ChatSettings) cleanDrafts() {
	total := 0
	for _, id := range slices.Sorted(maps.Keys(s.Drafts)) {
		size := s.Drafts[id].Size()
		if total+size > maxDrafts {
			delete(s.Drafts, id)
			continue
		}
		total += size
	}
}
