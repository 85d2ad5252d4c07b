package sources

import (
	"fmt"
	"slices"

	"inglenook/app/chat"
)

// Picked are the passages that go with a question: those that were found for it, less those
// that the person left out, and those that they added. The zero value has none.
type Picked struct {
	Question string         // that Found answers; "": nothing was looked for
	Found    chat.Retrieved // of Question
	Err      error          // why nothing could be looked for
	Busy     bool           // a search is under way, for another question

	decided map[string]bool // what the person said about a passage, by its key: true: it goes along
	added   []chat.Part     // what they added, which another search may not find
}

// Item is a passage that was found.
type Item struct {
	Part chat.Part
	In   bool // it goes with the question
}

// keyOf tells passages apart.
func keyOf(p chat.Part) string {
	if s, ok := chat.SourceOf(p); ok {
		return fmt.Sprintf("%s\x00%d\x00%s\x00%d", s.Collection, s.ID, s.Path, s.Start)
	}
	return p.Name + "\x00" + p.Text
}

// Take takes note of what was found for a question. What the person decided stays.
func (p *Picked) Take(question string, found chat.Retrieved, err error) {
	p.Question, p.Found, p.Err, p.Busy = question, found, err, false
}

// Items returns what was found: first what goes along, then the others, the best first.
func (p *Picked) Items() []Item {
	var in, out []Item
	seen := map[string]bool{}
	put := func(list []chat.Part, usually bool) {
		for _, part := range list {
			key := keyOf(part)
			if seen[key] {
				continue
			}
			seen[key] = true
			goes, said := p.decided[key]
			if goes = said && goes || !said && usually; goes {
				in = append(in, Item{part, true})
			} else {
				out = append(out, Item{part, false})
			}
		}
	}
	put(p.Found.Passages, true)
	put(p.added, false)
	put(p.Found.Others, false)
	return append(in, out...)
}

// Parts returns the passages that go along.
func (p *Picked) Parts() []chat.Part {
	var parts []chat.Part
	for _, i := range p.Items() {
		if i.In {
			parts = append(parts, i.Part)
		}
	}
	if p.Edited() {
		parts = chat.Chosen(parts)
	}
	return parts
}

// Decide has a passage go along, or leaves it out.
func (p *Picked) Decide(part chat.Part, goes bool) {
	key := keyOf(part)
	decided := map[string]bool{key: goes}
	for k, v := range p.decided {
		if k != key {
			decided[k] = v
		}
	}
	p.decided = decided // not changed in place: a draft that was put aside may have the same one
	if same := func(q chat.Part) bool { return keyOf(q) == key }; goes && !slices.ContainsFunc(p.added, same) {
		p.added = append(slices.Clip(p.added), part)
	}
}

// Edited reports whether the person left a passage out or added one.
func (p *Picked) Edited() bool { return len(p.decided) > 0 }

// Sees reports whether what is shown is what goes with a question: it was found for it, or
// the person chose it.
func (p *Picked) Sees(question string) bool {
	return p.Edited() || p.Err == nil && !p.Busy && p.Question == question && len(p.Found.Passages) > 0 && p.Found.Missing == ""
}
