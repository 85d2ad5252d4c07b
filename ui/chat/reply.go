package chat

import (
	"context"
	"strings"

	"inglenook/markdown"
	"inglenook/ui/prose"
)

// parseAtOnce is the length in bytes up to which a text is read while the window
// waits; a longer one is read on a goroutine.
const parseAtOnce = 40_000

// replyText shows an answer as Markdown.
type replyText struct {
	chat    *Panel
	id      int64
	body    *prose.Text
	stream  markdown.Stream
	written string // to stream
}

func (p *Panel) newReplyText(id int64) *replyText {
	t := &replyText{chat: p, id: id}
	t.body = p.newTalkProse()
	return t
}

// newTalkProse is text in which a person may select, in one message at a time.
func (p *Panel) newTalkProse() *prose.Text {
	text := prose.New(p.Keys, p.askLink)
	text.Do = p.Do
	text.InView(0, p.flow.Scroll.Size().Height) // until it is known
	text.Selects = func() {
		if p.selecting != nil && p.selecting != text {
			p.selecting.Mark = prose.Marked{}
			p.selecting.Draw()
		}
		p.selecting = text
	}
	return text
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
		t.body.Set(markdown.Parse(text))
		return
	}
	p := t.chat
	p.Work(func(ctx context.Context) {
		blocks := markdown.Parse(text)
		p.Do(func() {
			t.body.Set(blocks)
			p.flow.Grown(t.id)
		})
	})
}
