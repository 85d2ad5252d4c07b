package similarity

import (
	"fmt"
	"slices"
	"strings"

	"inglenook/ui/kit"
)

// undoDepth bounds how many changes of the list can be taken back.
const undoDepth = 50

// item is one text of the list. Its id stays the same while the list changes,
// so that a result knows its texts.
type item struct {
	id   int
	text string
}

// editedTexts is the list of texts that a person works on, with its history.
type editedTexts struct {
	items  []item
	nextID int
	past   []version
}

// version is the list as it was before a change.
type version struct {
	items []item
	what  string // the change, in the past tense
}

// newTexts starts a list without a history.
func newTexts(lines []string) *editedTexts {
	t := &editedTexts{}
	t.items = t.fresh(lines)
	return t
}

// splitTexts makes texts of pasted or typed text: one a line, blank lines
// skipped.
func splitTexts(s string) []string {
	var lines []string
	for l := range strings.Lines(strings.ReplaceAll(s, "\r", "\n")) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// add appends texts and returns the id of the last one; 0 when there is none.
func (t *editedTexts) add(lines []string) int {
	if len(lines) == 0 {
		return 0
	}
	t.remember(fmt.Sprintf("%s added", countTexts(len(lines))))
	t.items = append(t.items, t.fresh(lines)...)
	return t.items[len(t.items)-1].id
}

// edit replaces the text of id by one or more texts. The edited text is
// another text to a result, so it gets an id of its own, which edit returns.
func (t *editedTexts) edit(id int, lines []string) int {
	i := t.index(id)
	if i < 0 || len(lines) == 0 || len(lines) == 1 && t.items[i].text == lines[0] {
		return id
	}
	t.remember(fmt.Sprintf("Text %d changed", i+1))
	t.items = slices.Replace(t.items, i, i+1, t.fresh(lines)...)
	return t.items[i].id
}

// remove deletes id and returns the id of the text that takes its place; 0 when
// none is left.
func (t *editedTexts) remove(id int) int {
	i := t.index(id)
	if i < 0 {
		return 0
	}
	t.remember(fmt.Sprintf("Text %d deleted", i+1))
	t.items = slices.Delete(t.items, i, i+1)
	if len(t.items) == 0 {
		return 0
	}
	return t.items[min(i, len(t.items)-1)].id
}

// clear deletes all texts.
func (t *editedTexts) clear() {
	if len(t.items) > 0 {
		t.remember(fmt.Sprintf("%s deleted", countTexts(len(t.items))))
		t.items = nil
	}
}

// undo undoes the last change and reports whether there was one.
func (t *editedTexts) undo() bool {
	if len(t.past) == 0 {
		return false
	}
	last := t.past[len(t.past)-1]
	t.past = t.past[:len(t.past)-1]
	t.items = last.items
	return true
}

// lastChange returns what undo would undo, "" if nothing.
func (t *editedTexts) lastChange() string {
	if len(t.past) == 0 {
		return ""
	}
	return t.past[len(t.past)-1].what
}

// index returns the place of id; -1 when it is not in the list.
func (t *editedTexts) index(id int) int {
	return slices.IndexFunc(t.items, func(it item) bool { return it.id == id })
}

// lines returns the texts.
func (t *editedTexts) lines() []string {
	lines := make([]string, len(t.items))
	for i, it := range t.items {
		lines[i] = it.text
	}
	return lines
}

// ids returns the ids.
func (t *editedTexts) ids() []int {
	ids := make([]int, len(t.items))
	for i, it := range t.items {
		ids[i] = it.id
	}
	return ids
}

func (t *editedTexts) remember(what string) {
	t.past = append(t.past, version{slices.Clone(t.items), what})
	if len(t.past) > undoDepth {
		t.past = slices.Delete(t.past, 0, 1)
	}
}

func (t *editedTexts) fresh(lines []string) []item {
	items := make([]item, len(lines))
	for i, l := range lines {
		t.nextID++
		items[i] = item{t.nextID, l}
	}
	return items
}

// countTexts writes "1 text" or "12 texts".
func countTexts(n int) string { return kit.Count(n, "text") }
