package pipeline

import (
	"maps"
	"slices"
	"strings"

	"inglenook/sampling"
	"inglenook/tokenizer"
)

// textStream turns the ids of an answer into text. It holds back incomplete
// characters and what may become a stop text, and tells thinking from answer.
type textStream struct {
	tok     *tokenizer.Tokenizer // nil: ids have no text
	chars   *tokenizer.Stream    // likewise
	tags    map[int32]string     // control tokens that belong to a tag around thinking
	thinker *sampling.Thinker    // nil: all is answer
	stopper *sampling.Stopper
	stops   []string
	pending string // what the stopper holds back
	stop    string // the stop text that was found
}

// newTextStream returns the stream of an answer to a prompt. A rendered chat
// may end within a thinking block. A plain text is continued, and nothing in it
// counts as thinking. tags are the result of thinkingTags. Without a tokenizer
// the stream has no text.
func newTextStream(tok *tokenizer.Tokenizer, tags map[int32]string, o ReplyOptions, p Prompt) (*textStream, error) {
	stopper, err := sampling.NewStopper(o.Stop)
	if err != nil {
		return nil, err
	}
	s := &textStream{tok: tok, stopper: stopper, stops: o.Stop}
	if tok == nil {
		return s, nil
	}
	s.chars = tok.NewStream(true)
	if !p.chat && len(p.IDs) > 0 {
		// The text continues the prompt: at a beginning, the space before the
		// first word would be cut off. An id without text is no context.
		_, _ = s.chars.Push(p.IDs[len(p.IDs)-1])
		s.chars.Flush()
	}
	if p.chat && !o.structured() {
		s.thinker, s.tags = sampling.NewThinker(tagsOf(tok), p.Text), tags
	}
	return s, nil
}

// mark keeps control tokens that are among the marks as text.
func (s *textStream) mark(tok *tokenizer.Tokenizer, marks []string) {
	s.tags = maps.Clone(s.tags)
	for _, id := range tok.SpecialIDs() {
		if token, _ := tok.Token(id); s.tags != nil && slices.Contains(marks, token) {
			s.tags[id] = token
		}
	}
}

// thinkingTags returns the control tokens that are part of a tag around thinking,
// with their text. The tokenizer's stream leaves all control tokens out.
func thinkingTags(tok *tokenizer.Tokenizer) map[int32]string {
	tags, all := map[int32]string{}, tagsOf(tok)
	for _, id := range tok.SpecialIDs() {
		token, _ := tok.Token(id)
		if token != "" && slices.ContainsFunc(all, func(t sampling.Tags) bool {
			return strings.Contains(t.Open, token) || strings.Contains(t.Close, token)
		}) {
			tags[id] = token
		}
	}
	return tags
}

// tagsOf returns the tags around thinking that a tokenizer's model may write.
func tagsOf(tok *tokenizer.Tokenizer) []sampling.Tags {
	if hasChannels(tok) {
		return sampling.ChannelTags()
	}
	return sampling.ThinkingTags()
}

// hasChannels reports whether a model's replies are messages on channels, as those of
// gpt-oss are.
func hasChannels(tok *tokenizer.Tokenizer) bool {
	control := tok.SpecialIDs()
	for _, name := range []string{"<|channel|>", "<|message|>", "<|return|>"} {
		if id, ok := tok.TokenID(name); !ok || !slices.Contains(control, id) {
			return false
		}
	}
	return true
}

// bytes returns what a token adds to a text.
func (s *textStream) bytes(id int32) []byte {
	if s.tok == nil {
		return nil
	}
	return s.tok.TokenBytes(id)
}

// push takes the next id and returns the text that is certain by now.
func (s *textStream) push(id int32) ([]sampling.Segment, error) {
	if s.chars == nil {
		return nil, nil
	}
	if tag, ok := s.tags[id]; ok {
		return s.route(s.chars.Flush() + tag), nil
	}
	text, err := s.chars.Push(id)
	return s.route(text), err
}

// flush returns the text that was held back, without a character that the end cut off.
func (s *textStream) flush() []sampling.Segment {
	if s.stop != "" || s.chars == nil {
		return nil
	}
	out := s.route(strings.TrimRight(s.chars.Flush(), "\uFFFD"))
	if s.thinker != nil && s.stop == "" {
		out = append(out, s.filterStops(s.thinker.Flush())...)
	}
	if rest := s.stopper.Flush(); s.stop == "" && rest != "" {
		out = append(out, sampling.Segment{Text: rest})
	}
	return out
}

// route separates thinking from the answer.
func (s *textStream) route(text string) []sampling.Segment {
	switch {
	case text == "":
		return nil
	case s.thinker == nil:
		return s.filterStops([]sampling.Segment{{Text: text}})
	}
	return s.filterStops(s.thinker.Push(text))
}

// filterStops ends the text at a stop text. Stop texts count in the answer and not in
// thinking.
func (s *textStream) filterStops(segments []sampling.Segment) []sampling.Segment {
	out := segments[:0]
	for _, segment := range segments {
		if s.stop != "" {
			break
		}
		if !segment.Thinking {
			segment.Text = s.matchStop(segment.Text)
		}
		if segment.Text != "" {
			out = append(out, segment)
		}
	}
	return out
}

// matchStop returns what of a piece of the answer cannot belong to a stop text. It
// keeps the stop text that it finds: the one that is complete first.
func (s *textStream) matchStop(piece string) string {
	text, stopped := s.stopper.Push(piece)
	s.pending = (s.pending + piece)[len(text):]
	if !stopped {
		return text
	}
	for _, stop := range s.stops {
		if strings.HasPrefix(s.pending, stop) && (s.stop == "" || len(stop) < len(s.stop)) {
			s.stop = stop
		}
	}
	return text
}
