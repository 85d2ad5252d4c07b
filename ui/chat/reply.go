package chat

import (
	"context"
	"strings"

	"inglenook/markdown"
	"inglenook/ui/panel"
	"inglenook/ui/prose"
)

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
