package pipeline

import (
	"slices"
	"strings"

	"inglenook/sampling"
	"inglenook/tokenizer"
)

// voice makes the text of an answer out of its ids: incomplete characters and
// what may become a stop text are held back, thinking is told from answer.
type voice struct {
	stream  *tokenizer.Stream // nil: ids have no text
	tags    map[int32]string  // control tokens that belong to a tag around thinking
	thinker *sampling.Thinker // nil: all is answer
	stopper *sampling.Stopper
	stops   []string
	pending string // given to the stopper and not given out
	stop    string // the stop text that was found
}

// newVoice makes the voice of an answer. In a chat, prompt is the rendered one,
// at whose end a thinking block may be open; otherwise the answer continues a
// text, and nothing is taken for thinking. tags are as from thinkingTags. Without
// a tokenizer it says nothing.
func newVoice(tok *tokenizer.Tokenizer, tags map[int32]string, o ReplyOptions, p Prompt) (*voice, error) {
	stopper, err := sampling.NewStopper(o.Stop)
	if err != nil {
		return nil, err
	}
	v := &voice{stopper: stopper, stops: o.Stop}
	if tok == nil {
		return v, nil
	}
	v.stream = tok.NewStream(true)
	if !p.chat && len(p.IDs) > 0 {
		// The text goes on where the prompt ends, with the space before a word
		// that would be cut off at a beginning. An id without text is no context.
		_, _ = v.stream.Push(p.IDs[len(p.IDs)-1])
		v.stream.Flush()
	}
	if p.chat && !o.JSON && o.JSONSchema == nil {
		v.thinker, v.tags = sampling.NewThinker(sampling.ThinkingTags(), p.Text), tags
	}
	return v, nil
}

// thinkingTags are the control tokens that are part of a tag around thinking,
// with their text: streams of text leave all control tokens out.
func thinkingTags(tok *tokenizer.Tokenizer) map[int32]string {
	tags := map[int32]string{}
	for _, id := range tok.SpecialIDs() {
		token, _ := tok.Token(id)
		if token != "" && slices.ContainsFunc(sampling.ThinkingTags(), func(t sampling.Tags) bool {
			return strings.Contains(t.Open, token) || strings.Contains(t.Close, token)
		}) {
			tags[id] = token
		}
	}
	return tags
}

// say takes the next id and gives the text that is certain by now.
func (v *voice) say(id int32) ([]sampling.Segment, error) {
	if v.stream == nil {
		return nil, nil
	}
	if tag, ok := v.tags[id]; ok {
		return v.hear(v.stream.Flush() + tag), nil
	}
	text, err := v.stream.Push(id)
	return v.hear(text), err
}

// end returns what was held back, but for a character that the end cuts off.
func (v *voice) end() []sampling.Segment {
	if v.stop != "" || v.stream == nil {
		return nil
	}
	out := v.hear(strings.TrimRight(v.stream.Flush(), "\uFFFD"))
	if v.thinker != nil && v.stop == "" {
		out = append(out, v.heed(v.thinker.Flush())...)
	}
	if rest := v.stopper.Flush(); v.stop == "" && rest != "" {
		out = append(out, sampling.Segment{Text: rest})
	}
	return out
}

func (v *voice) hear(text string) []sampling.Segment {
	switch {
	case text == "":
		return nil
	case v.thinker == nil:
		return v.heed([]sampling.Segment{{Text: text}})
	}
	return v.heed(v.thinker.Push(text))
}

// heed looks for stop texts, which count in the answer and not in thinking.
func (v *voice) heed(segments []sampling.Segment) []sampling.Segment {
	out := segments[:0]
	for _, s := range segments {
		if v.stop != "" {
			break
		}
		if !s.Thinking {
			s.Text = v.watch(s.Text)
		}
		if s.Text != "" {
			out = append(out, s)
		}
	}
	return out
}

// watch gives a piece of the answer to the stopper and keeps the stop text that
// it finds: the one that is complete first.
func (v *voice) watch(piece string) string {
	text, stopped := v.stopper.Push(piece)
	v.pending = (v.pending + piece)[len(text):]
	if !stopped {
		return text
	}
	for _, stop := range v.stops {
		if strings.HasPrefix(v.pending, stop) && (v.stop == "" || len(stop) < len(v.stop)) {
			v.stop = stop
		}
	}
	return text
}
