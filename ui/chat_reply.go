package ui

import (
	"context"
	"net/url"
	"strings"

	"inglenook/markdown"
)

// parseAtOnce is the length in bytes up to which a text is read while the window
// waits; a longer one is read on a goroutine.
const parseAtOnce = 40_000

// replyText shows an answer as Markdown.
type replyText struct {
	chat    *chat
	id      int64
	body    *prose
	stream  markdown.Stream
	written string // to stream
}

func (p *chat) newReplyText(id int64) *replyText {
	t := &replyText{chat: p, id: id}
	t.body = p.newTalkProse()
	return t
}

// newTalkProse is text in which a person may select, in one message at a time.
func (p *chat) newTalkProse() *prose {
	text := newProse(p.keys, p.askLink)
	text.do = p.do
	text.inView(0, p.flow.scroll.Size().Height) // until it is known
	text.selects = func() {
		if p.selecting != nil && p.selecting != text {
			p.selecting.mark = marked{}
			p.selecting.draw()
		}
		p.selecting = text
	}
	return text
}

func (t *replyText) prose() *prose                   { return t.body }
func (t *replyText) width(available float32) float32 { return available }
func (t *replyText) seen(top, bottom float32)        { t.body.inView(top, bottom) }

// set shows a text. One that only grew is read on from where it was.
func (t *replyText) set(text string, whole bool) {
	t.body.source = text
	if whole && t.written == "" {
		t.read(text)
		return
	}
	if !strings.HasPrefix(text, t.written) {
		t.stream, t.written = markdown.Stream{}, ""
	}
	t.stream.Write(text[len(t.written):])
	t.written = text
	t.body.stream(t.stream.Blocks())
}

// read shows a text that is complete.
func (t *replyText) read(text string) {
	if len(text) <= parseAtOnce {
		t.body.set(markdown.Parse(text))
		return
	}
	p := t.chat
	p.work(func(ctx context.Context) {
		blocks := markdown.Parse(text)
		p.do(func() {
			t.body.set(blocks)
			p.flow.grown(t.id)
		})
	})
}

// askLink shows where a link leads before anything opens it.
func (p *chat) askLink(address string) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		p.showLink(address, nil)
		return
	}
	p.showLink(address, func() { p.browse(u) })
}
