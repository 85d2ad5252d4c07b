package textlist

import (
	"fmt"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// item is one text of the list. Its id stays the same while the list changes,
// so that a result knows its texts.
type item struct {
	id     int
	text   string // of a picture: the name of its file
	sample bool   // of the first look: it goes once a person adds a text of their own
	were   []int  // the ids of the texts that a person edited to get this one

	picture *Picture // nil: a text
	from    texts.Origin
}

// Texts is a list of texts that a person works on, with its history.
type Texts struct {
	items  []item
	nextID int
	past   []version
	future []version // changes that were taken back, the last of them at the end
}

// New starts a list without a history. Those of its texts that are among samples make room
// for the first text that a person adds.
func New(lines, samples []string) *Texts {
	t := &Texts{}
	t.items = t.fresh(lines)
	for i := range t.items {
		t.items[i].sample = slices.Contains(samples, t.items[i].text)
	}
	return t
}

// Sampled reports whether any of the texts is a sample.
func (t *Texts) Sampled() bool {
	return slices.ContainsFunc(t.items, func(it item) bool { return it.sample })
}

// Split makes texts of pasted or typed text: one a line, blank lines
// skipped.
func Split(s string) []string {
	var lines []string
	for l := range strings.Lines(strings.ReplaceAll(s, "\r", "\n")) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// Add appends texts, in the place of samples, and returns the id of the last one; 0 when
// there is none.
func (t *Texts) Add(lines []string) int { return t.add(t.fresh(lines), count(len(lines))) }

// add appends items, which are called what.
func (t *Texts) add(items []item, what string) int {
	if len(items) == 0 {
		return 0
	}
	what += " added"
	samples := 0
	for _, it := range t.items {
		if it.sample {
			samples++
		}
	}
	if samples > 0 {
		what += " in the place of " + kit.Count(samples, "sample text")
	}
	t.remember(what)
	t.past[len(t.past)-1].samples = samples > 0
	t.items = slices.DeleteFunc(t.items, func(it item) bool { return it.sample })
	t.items = append(t.items, items...)
	return t.items[len(t.items)-1].id
}

// recut puts other texts in the place of the last n, and returns the id of the last of them.
func (t *Texts) recut(n int, lines []string) int {
	t.remember("Cut into " + count(len(lines)))
	t.items = append(slices.Clone(t.items[:len(t.items)-n]), t.fresh(lines)...)
	return t.items[len(t.items)-1].id
}

// instead puts other texts in the place of those with ids, which stand together from place at on.
func (t *Texts) instead(at int, ids []int, lines []string, from []texts.Origin, what string) (now []int) {
	t.remember(what)
	items := t.from(lines, from)
	t.items = slices.Concat(t.items[:at], items, t.items[at+len(ids):])
	for _, it := range items {
		now = append(now, it.id)
	}
	return now
}

// placeOf is where texts with these ids stand together; -1: they do not.
func (t *Texts) placeOf(ids []int) int {
	if len(ids) == 0 {
		return -1
	}
	at := t.Index(ids[0])
	if at < 0 || at+len(ids) > len(t.items) {
		return -1
	}
	for k, id := range ids {
		if t.items[at+k].id != id {
			return -1
		}
	}
	return at
}

// edit replaces the text of id by one or more texts. The edited text is
// another text to a result, so it gets an id of its own, which edit returns.
func (t *Texts) edit(id int, lines []string) int {
	i := t.Index(id)
	if i < 0 || len(lines) == 0 || len(lines) == 1 && t.items[i].text == lines[0] {
		return id
	}
	t.remember(fmt.Sprintf("Text %d changed", i+1))
	items := t.fresh(lines)
	items[0].from, items[0].were = t.items[i].from, append(slices.Clone(t.items[i].were), id)
	t.items = slices.Replace(slices.Clone(t.items), i, i+1, items...)
	return t.items[i].id
}

// remove deletes id and returns the id of the text that takes its place; 0 when
// none is left.
func (t *Texts) remove(id int) int {
	i := t.Index(id)
	if i < 0 {
		return 0
	}
	t.remember(fmt.Sprintf("%s %d deleted", t.items[i].kind(), i+1))
	t.items = slices.Delete(t.items, i, i+1)
	if len(t.items) == 0 {
		return 0
	}
	return t.items[min(i, len(t.items)-1)].id
}

// removeAll deletes some texts, and returns how many.
func (t *Texts) removeAll(ids []int) int {
	gone := make(map[int]bool, len(ids))
	for _, id := range ids {
		if t.Index(id) >= 0 {
			gone[id] = true
		}
	}
	if len(gone) == 0 {
		return 0
	}
	t.remember(fmt.Sprintf("%s deleted", kit.Count(len(gone), t.kind())))
	t.items = slices.DeleteFunc(slices.Clone(t.items), func(it item) bool { return gone[it.id] })
	return len(gone)
}

// clear deletes all texts.
func (t *Texts) clear() {
	if len(t.items) > 0 {
		t.remember(fmt.Sprintf("%s deleted", kit.Count(len(t.items), t.kind())))
		t.items = nil
	}
}

// replace puts other texts in the place of all.
func (t *Texts) replace(lines []string) {
	t.remember(fmt.Sprintf("Replaced by %s", count(len(lines))))
	t.items = t.fresh(lines)
}

// Index returns the place of id; -1 when it is not in the list.
func (t *Texts) Index(id int) int {
	return slices.IndexFunc(t.items, func(it item) bool { return it.id == id })
}

// HasAny reports whether any of these is in the list.
func (t *Texts) HasAny(ids []int) bool {
	if len(ids) == 0 || t.Index(ids[0]) >= 0 { // as nearly always
		return len(ids) > 0
	}
	here := make(map[int]bool, len(t.items))
	for _, it := range t.items {
		here[it.id] = true
	}
	return slices.ContainsFunc(ids, func(id int) bool { return here[id] })
}

// Edited are the ids of the texts that a person edited to get the present ones, by the ids of these.
func (t *Texts) Edited() map[int][]int {
	list := map[int][]int{}
	for _, it := range t.items {
		if it.were != nil {
			list[it.id] = it.were
		}
	}
	return list
}

// Len is how many texts there are.
func (t *Texts) Len() int { return len(t.items) }

// Lines returns the texts, and of pictures the names.
func (t *Texts) Lines() []string {
	lines := make([]string, len(t.items))
	for i, it := range t.items {
		lines[i] = it.text
	}
	return lines
}

// IDs returns the ids.
func (t *Texts) IDs() []int {
	ids := make([]int, len(t.items))
	for i, it := range t.items {
		ids[i] = it.id
	}
	return ids
}

func (t *Texts) fresh(lines []string) []item {
	items := make([]item, len(lines))
	for i, l := range lines {
		t.nextID++
		items[i] = item{id: t.nextID, text: l}
	}
	return items
}

// from are new items that came from there.
func (t *Texts) from(lines []string, from []texts.Origin) []item {
	items := t.fresh(lines)
	for i := range min(len(items), len(from)) {
		items[i].from = from[i]
	}
	return items
}

// Origins returns of each item where it came from; of a picture, its file.
func (t *Texts) Origins() []texts.Origin {
	list := make([]texts.Origin, len(t.items))
	for i, it := range t.items {
		if list[i] = it.from; it.picture != nil {
			list[i].File = it.picture.Path
		}
	}
	return list
}

// CameFrom notes where the texts came from, in their order; nil: it is not known.
func (t *Texts) CameFrom(from []texts.Origin) {
	for i := range min(len(t.items), len(from)) {
		t.items[i].from = from[i]
	}
}

// SourceOf is where the text with that id came from; its zero value: a person wrote it, or it is not there.
func (t *Texts) SourceOf(id int) base.Source {
	if i := t.Index(id); i >= 0 {
		return t.items[i].from.Source()
	}
	return base.Source{}
}

// Sources is where the texts came from, by id. Those that a person wrote are not among them.
func (t *Texts) Sources() map[int]base.Source {
	list := map[int]base.Source{}
	for _, it := range t.items {
		if it.from.File != "" {
			list[it.id] = it.from.Source()
		}
	}
	return list
}

// count writes "1 text" or "12 texts".
func count(n int) string { return kit.Count(n, "text") }
