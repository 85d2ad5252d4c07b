package chats

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteMarkdown writes the branch in view as Markdown for people to read. Messages
// stay as they are, because most are Markdown already; names and other short texts
// are escaped.
func WriteMarkdown(w io.Writer, c Conversation) error {
	title := c.Title
	if title == "" {
		title = "Conversation"
	}
	m := markdown{}
	m.add("# %s", escape(title))
	m.add("*%s*", shortTime(c.Created))
	if c.System != "" {
		m.add("**System prompt**")
		m.add("%s", quote(c.System))
	}
	for _, message := range c.Path() {
		m.message(message)
	}
	_, err := io.WriteString(w, m.text.String())
	return err
}

// markdown builds a Markdown text.
type markdown struct{ text strings.Builder }

// add adds a block.
func (m *markdown) add(format string, values ...any) {
	if m.text.Len() > 0 {
		m.text.WriteByte('\n')
	}
	fmt.Fprintf(&m.text, format+"\n", values...)
}

func (m *markdown) message(message Message) {
	m.add("## %s", speaker(message))
	if message.Thinking != "" {
		m.add("*Thinking*")
		m.add("%s", quote(message.Thinking))
	}
	for _, p := range message.Parts {
		m.part(p)
	}
	if note := remark(message); note != "" {
		m.add("*%s*", escape(note))
	}
}

func (m *markdown) part(p Part) {
	switch p.Kind {
	case PartText:
		m.add("%s", strings.TrimRight(closed(p.Text), "\n"))
	case PartFile:
		m.add("**%s**", escape(p.Name))
		m.add("%s", fence(p.Text))
	case PartPassage:
		m.add("**%s**", escape(p.Name))
		m.add("%s", quote(p.Text))
	case PartTool:
		m.add("**%s**", escape("Used "+p.Name))
		m.add("%s", fence(p.Text))
	default:
		m.add("*%s*", escape("A part that is no text: "+p.Kind))
	}
}

func speaker(m Message) string {
	switch {
	case m.Role == RoleUser:
		return "You"
	case m.Role != RoleAssistant:
		return escape(strings.ToUpper(m.Role[:1]) + m.Role[1:])
	case m.Reply != nil && m.Reply.ModelName != "":
		return escape(m.Reply.ModelName)
	case m.Reply != nil && m.Reply.Model != "":
		return escape(m.Reply.Model)
	}
	return "Assistant"
}

// remark returns what a reader would otherwise not know about how a message ended.
func remark(m Message) string {
	switch m.State {
	case StateComplete:
		return ""
	case StateFailed:
		if m.Reply != nil && m.Reply.Error != "" {
			return "Failed: " + m.Reply.Error
		}
	}
	return strings.ToUpper(m.State[:1]) + m.State[1:]
}

// escape turns a short text into one line without markup.
func escape(text string) string {
	var escaped strings.Builder
	for _, r := range oneLine(text, nameBytes) {
		if r < unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r)) && strings.ContainsRune("\\`*_{}[]<>#|~!&", r) {
			escaped.WriteByte('\\')
		}
		escaped.WriteRune(r)
	}
	return escaped.String()
}

func quote(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimRight(closed(text), "\n"), "\n", "\n> ")
}

// fence puts a text into a code block whose fence it does not contain.
func fence(text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + "\n" + strings.TrimRight(text, "\n") + "\n" + mark
}

// closed ends the code block that a text leaves open, as one does that was stopped,
// so that it does not swallow what follows.
func closed(text string) string {
	open := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(strings.TrimLeft(line, " "), " \n")
		mark := fenceOf(line)
		switch {
		case mark == "":
		case open == "":
			open = mark
		case mark[0] == open[0] && len(mark) >= len(open) && mark == line:
			open = ""
		}
	}
	if open == "" {
		return text
	}
	return strings.TrimRight(text, "\n") + "\n" + open
}

// fenceOf is the run of three or more backticks or tildes that a line begins with.
func fenceOf(line string) string {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return ""
	}
	n := len(line) - len(strings.TrimLeft(line, line[:1]))
	if n < 3 || line[0] == '`' && strings.Contains(line[n:], "`") {
		return ""
	}
	return line[:n]
}
