package chats

import (
	"slices"
	"strings"
)

// Part is a piece of what a message says. A message has its parts in order, whatever
// their kind. This program creates the kinds below. Another one, such as an image, a
// tool call or its result, is one more kind and nothing else: a store keeps kinds that it
// does not know, as a newer program may have written them. Code that cannot use a kind has
// to say so.
type Part struct {
	Kind   string `json:"kind"`
	Name   string `json:"name,omitempty"`   // of a file, or where a passage is from
	Text   string `json:"text,omitempty"`   // of a text or a passage, or all of a text file
	Tokens int    `json:"tokens,omitempty"` // of Text; 0: not counted
	Data   []byte `json:"data,omitempty"`   // what is no text, encoded as the kind requires
}

// The kinds of parts that this program creates.
const (
	PartText = "text" // what a person or a model wrote
	PartFile = "file" // a text file that is attached
	// PartPassage is a passage of a document that goes with a question; Data says in JSON
	// where it is from.
	PartPassage = "passage"
	// PartTool is a tool that ran for an answer: Name is the tool's, Text its result; Data
	// says in JSON what it was asked.
	PartTool = "tool"
)

// Text returns a part that is text.
func Text(text string) Part { return Part{Kind: PartText, Text: text} }

// File returns a part that is a text file.
func File(name, text string) Part { return Part{Kind: PartFile, Name: name, Text: text} }

// Content returns the usual parts of a message: files, and a text unless it is empty.
func Content(text string, files ...Part) []Part {
	parts := slices.Clone(files)
	if text != "" {
		parts = append(parts, Text(text))
	}
	return parts
}

// Text returns the texts of a message, with an empty line between two.
func (m Message) Text() string {
	texts := make([]string, 0, 4)
	for _, p := range m.Parts {
		if p.Kind == PartText {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// Files returns the parts of a message that are files.
func (m Message) Files() []Part {
	var files []Part
	for _, p := range m.Parts {
		if p.Kind == PartFile {
			files = append(files, p)
		}
	}
	return files
}

// SameFile reports whether two attached files are the same, counted or not.
func (p Part) SameFile(other Part) bool { return p.Name == other.Name && p.Text == other.Text }

// WithText returns the parts of a message with another text. It stands where the first
// text stood, or else behind the files at the beginning; all other texts are gone.
func (m Message) WithText(text string) []Part {
	at := slices.IndexFunc(m.Parts, func(p Part) bool { return p.Kind == PartText })
	if at < 0 {
		at = filesFirst(m.Parts)
	}
	rest := slices.DeleteFunc(slices.Clone(m.Parts[at:]), func(p Part) bool { return p.Kind == PartText })
	return slices.Concat(m.Parts[:at], Content(text), rest)
}

// With returns the parts of a message with another text and other files, which stand where its
// first file stood, or else at the beginning.
func (m Message) With(text string, files []Part) []Part {
	parts := m.WithText(text)
	if slices.EqualFunc(m.Files(), files, Part.SameFile) {
		return parts
	}
	file := func(p Part) bool { return p.Kind == PartFile }
	at := max(0, slices.IndexFunc(parts, file))
	return slices.Insert(slices.DeleteFunc(slices.Clone(parts), file), at, files...)
}

// filesFirst returns how many files parts begin with.
func filesFirst(parts []Part) int {
	n := 0
	for n < len(parts) && parts[n].Kind == PartFile && parts[n].Data == nil {
		n++
	}
	return n
}

// lastText returns the text that parts end with, and the parts before it. It is empty
// where they end with another kind.
func lastText(parts []Part) (before []Part, text string) {
	if n := len(parts) - 1; n >= 0 && parts[n].plain() {
		return parts[:n], parts[n].Text
	}
	return parts, ""
}

// endWith returns parts with a text behind them, in a slice of its own.
func endWith(parts []Part, text string) []Part {
	return append(slices.Clip(parts), Text(text))
}

// plain reports whether a part is a text and nothing more.
func (p Part) plain() bool {
	return p.Kind == PartText && p.Name == "" && p.Tokens == 0 && p.Data == nil
}

// bytes returns the length of everything that a message says.
func (m Message) bytes() int {
	n := len(m.Thinking)
	for _, p := range m.Parts {
		n += len(p.Kind) + len(p.Name) + len(p.Text) + len(p.Data)
	}
	return n
}

// keptParts returns parts in the form that the store keeps: copies, in valid UTF-8, without
// texts that are empty.
func keptParts(parts []Part) []Part {
	var kept []Part
	for _, p := range parts {
		p = Part{valid(p.Kind), valid(p.Name), valid(p.Text), bounded(p.Tokens), slices.Clone(p.Data)}
		if len(p.Data) == 0 {
			p.Data = nil
		}
		if !p.plain() || p.Text != "" {
			kept = append(kept, p)
		}
	}
	return kept
}
