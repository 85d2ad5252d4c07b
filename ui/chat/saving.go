package chat

import (
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/app/chat"
	"inglenook/ui/kit"
)

// saveMessage saves an answer as a Markdown file, which most answers are written in.
func (p *Panel) saveMessage(id int64) {
	m := p.tree.message(id)
	if m == nil {
		return
	}
	text := strings.TrimSpace(m.Text()) + "\n"
	p.Files().Save(answerName(*m, p.conversation.Title), func(w fyne.URIWriteCloser) {
		p.Write(w, func(f fyne.URIWriteCloser) error {
			_, err := f.Write([]byte(text))
			return err
		}, p.ShowError)
	})
}

// answerName is the name that a file with an answer gets: its heading, where it begins with one, or else
// the title of the chat.
func answerName(m chat.Message, title string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(m.Text()), "\n")
	if heading := strings.TrimLeft(first, "#"); heading != first && strings.HasPrefix(heading, " ") {
		title = kit.Brief(chat.WithoutMarkup(strings.TrimSpace(heading)))
	}
	return fileName(title) + ".md"
}
