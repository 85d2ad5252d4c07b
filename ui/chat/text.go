package chat

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/chat"
	"inglenook/markdown"
	"inglenook/plain"
	"inglenook/ui/chat/finding"
	"inglenook/ui/chat/sources"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/prose"
)

// pieceBytes is about how many bytes one label draws: the layout of a label takes
// longer than in proportion to its text.
const pieceBytes = 2000

// ownText is what a person wrote, as it was written.
type ownText struct {
	text string
	body *prose.Text
}

func newOwnText(body *prose.Text, text string) *ownText {
	t := &ownText{text: text, body: body}
	t.body.Set(asWritten(text))
	return t
}

// asWritten makes paragraphs of a text that is no Markdown.
func asWritten(text string) []markdown.Block {
	var blocks []markdown.Block
	for part := range strings.SplitSeq(strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n\n") {
		var inlines []markdown.Inline
		for line := range strings.SplitSeq(part, "\n") {
			if len(inlines) > 0 {
				inlines = append(inlines, markdown.Break{})
			}
			inlines = append(inlines, markdown.Text{Text: plain.Visible(line)})
		}
		blocks = append(blocks, &markdown.Paragraph{Text: inlines})
	}
	return blocks
}

func (t *ownText) prose() *prose.Text       { return t.body }
func (t *ownText) set(string, bool)         {}
func (t *ownText) seen(top, bottom float32) { t.body.InView(top, bottom) }

// width is that of the longest line, or all that is available.
func (t *ownText) width(available float32) float32 {
	if len(t.text) > 600 {
		return available
	}
	widest := float32(0)
	for line := range strings.Lines(t.text) {
		widest = max(widest, fyne.MeasureText(strings.TrimRight(line, "\r\n"), kit.Reading(), fyne.TextStyle{}).Width)
	}
	return min(available, widest+2)
}

// parseAtOnce is the length in bytes up to which a text is read while the window
// waits; a longer one is read on a goroutine.
const parseAtOnce = 40_000

// replyText shows an answer as Markdown.
type replyText struct {
	host    panel.Host
	grown   func()
	body    *prose.Text
	marks   []markdown.Mark // of a text that is complete
	stream  markdown.Stream
	written string // to stream
}

// newReplyText draws on body; grown follows a text whose height changed later.
func newReplyText(body *prose.Text, d panel.Host, grown func()) *replyText {
	return &replyText{host: d, grown: grown, body: body}
}

func (t *replyText) prose() *prose.Text              { return t.body }
func (t *replyText) width(available float32) float32 { return available }
func (t *replyText) seen(top, bottom float32)        { t.body.InView(top, bottom) }

// set shows a text. One that only grew is read on from where it was.
func (t *replyText) set(text string, whole bool) {
	t.body.Source = text
	if whole && t.written == "" {
		t.read(text)
		return
	}
	if !strings.HasPrefix(text, t.written) {
		t.stream, t.written = markdown.Stream{}, ""
	}
	t.stream.Write(text[len(t.written):])
	t.written = text
	t.body.Stream(t.stream.Blocks())
}

// read shows a text that is complete.
func (t *replyText) read(text string) {
	if len(text) <= parseAtOnce {
		t.body.Set(markdown.ParseMarked(text, t.marks))
		return
	}
	t.host.Work(func(ctx context.Context) {
		blocks := markdown.ParseMarked(text, t.marks)
		t.host.Do(func() {
			t.body.Set(blocks)
			t.grown()
		})
	})
}

// selectable is wrapped text that can be selected and copied, without the room
// that Fyne leaves around it. What is longer than two pieces loses its middle.
func selectable(text string) fyne.CanvasObject {
	l := widget.NewLabel(plain.Text(text, 2*pieceBytes))
	l.Wrapping, l.Selectable, l.SizeName = fyne.TextWrapWord, true, theme.SizeNameText
	return kit.Inset(l, -kit.Gap, -kit.Gap)
}

// pieces cuts text at line ends, or where lines are long within them, into
// pieces of about so many bytes.
func pieces(text string, about int) []string {
	var list []string
	for len(text) > about {
		cut := strings.LastIndexByte(text[:about], '\n')
		end := cut + 1 // the line end is not drawn: the next label begins a line
		if cut <= 0 {
			cut = about
			for cut > 1 && text[cut]&0xC0 == 0x80 {
				cut--
			}
			if space := strings.LastIndexByte(text[:cut], ' '); space > about/2 {
				cut = space
			}
			end = cut
		}
		list = append(list, text[:cut])
		text = text[end:]
	}
	return append(list, text)
}

// newFinding finds words in the chat in view.
func (p *Panel) newFinding() *finding.Finding {
	return finding.New(finding.Host{
		Host:     p.Host,
		Messages: p.saidInView,
		First: func() int64 {
			if i := p.flow.InSight(); i >= 0 {
				return p.tree.path[i]
			}
			return 0
		},
		Shown: func(id int64) *prose.Text {
			if b := p.bubbles[id]; b != nil {
				return b.text.prose()
			}
			return nil
		},
		Each: func(do func(int64, *prose.Text)) {
			for id, b := range p.bubbles {
				do(id, b.text.prose())
			}
		},
		Reveal: func(id int64) { p.flow.Choose(slices.Index(p.tree.path, id)) },
		Sees: func(text fyne.CanvasObject, top, bottom float32) {
			driver := fyne.CurrentApp().Driver()
			at := driver.AbsolutePositionForObject(text).Y - driver.AbsolutePositionForObject(p.flow.Scroll).Y
			p.flow.Reveal(at+top, at+bottom)
		},
		Closed: func() { p.Focus(p.composer.entry) },
		Turned: p.resized,
	})
}

// saidInView is what the messages in view say, and the files that they have.
func (p *Panel) saidInView() []finding.Message {
	list := make([]finding.Message, 0, len(p.tree.path))
	for _, id := range p.tree.path {
		m := *p.tree.message(id)
		said := finding.Message{ID: id, Text: m.Text()}
		if m.Role == chat.RoleUser {
			said.Read = func() []markdown.Block { return asWritten(said.Text) }
		} else {
			claims, passages := p.claimsOf(m)
			said.Read = func() []markdown.Block {
				return markdown.ParseMarked(said.Text, sources.Marks(claims, len(passages)))
			}
		}
		for _, f := range m.Files() {
			said.Files = append(said.Files, finding.File{Name: f.Name, Text: f.Text})
		}
		list = append(list, said)
	}
	return list
}

// claimsOf are the sentences of an answer with what supports them, and the passages that it had.
func (s *session) claimsOf(m chat.Message) ([]chat.Claim, []chat.Part) {
	question := s.tree.message(m.Parent)
	if question == nil {
		return nil, nil
	}
	passages := chat.Passages(question.Parts)
	if own := chat.Passages(m.Parts); len(own) > 0 { // what it names came with the answer
		passages = own
	}
	return chat.ClaimsOf(m, passages), passages
}
