package chats

import "slices"

// places are the parts of a message as a record and an export have them. Both have a place
// for files, one for a text behind them, and one for all parts that follow. Most messages
// need only the first two, and those are all that version 1 has. Version 2 has the third
// for kinds that version 1 does not know. In version 3 it takes any part: a message whose
// parts come in another order, such as a file behind a text, has in the first two places
// what fits there, and the rest in the third.
type places struct {
	files []Part
	text  string
	rest  []Part
}

// placesOf returns where the parts of a message go.
func placesOf(parts []Part) places {
	n := filesFirst(parts)
	p := places{files: parts[:n], rest: parts[n:]}
	if len(p.rest) > 0 && p.rest[0].plain() {
		p.text, p.rest = p.rest[0].Text, p.rest[1:]
	}
	return p
}

// parts returns the parts in order.
func (p places) parts() []Part {
	if p.text == "" {
		return slices.Concat(p.files, p.rest)
	}
	return slices.Concat(p.files, []Part{Text(p.text)}, p.rest)
}

// version returns the first version whose programs read the parts in this order.
func (p places) version() int {
	switch {
	case slices.ContainsFunc(p.rest, Part.anywhere):
		return 3
	case len(p.rest) > 0:
		return 2
	}
	return 1
}

// anywhere reports whether only version 3 has a place for a part behind others: for one
// that has a place of its own before, or whose fields version 2 does not have.
func (p Part) anywhere() bool {
	return p.Kind == PartText || p.Kind == PartFile || p.Name != "" || p.Text != "" || p.Tokens != 0
}

// versionOfMessage returns the first version whose programs can read a message.
func versionOfMessage(m Message) int {
	parts := m.Parts
	if m.State == StateWriting { // text may follow, in records of its own
		before, _ := lastText(parts)
		parts = endWith(before, "")
	}
	v := placesOf(parts).version()
	if m.Role != RoleUser && m.Role != RoleAssistant {
		v = max(v, 2)
	}
	return v
}
