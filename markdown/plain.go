package markdown

import "strings"

// PlainText returns inline text without its styles. An image becomes its
// description.
func PlainText(inlines []Inline) string {
	var b strings.Builder
	writePlain(&b, inlines)
	return b.String()
}

func writePlain(b *strings.Builder, inlines []Inline) {
	for _, n := range inlines {
		switch n := n.(type) {
		case Text:
			b.WriteString(n.Text)
		case Link:
			writePlain(b, n.Text)
		case Image:
			b.WriteString(n.Description)
		case Math:
			b.WriteString(n.Source)
		case Break:
			b.WriteByte('\n')
		}
	}
}
