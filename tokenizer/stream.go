package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// Stream turns ids into text one at a time. What it has given, joined, is what
// Decode gives for all the ids; for that it holds text back while a character
// is incomplete. One goroutine may use it at a time.
//
// Decoding each id alone would be wrong: the bytes of a character may be spread
// over several ids, and most decoders treat the first token of a text
// differently. So each id is decoded after the few before it, and the text that
// these had is left out.
type Stream struct {
	t           *Tokenizer
	skipSpecial bool
	ids         []int32 // the settled ids that give context, then those that wait
	context     int     // how many ids are context
	sent        int     // bytes of the text of ids that are out
}

const (
	replacement = "\uFFFD"
	// A character has at most four bytes, hence tokens: when more wait, those
	// before the last are broken for good.
	maxPartial = utf8.UTFMax
	// A model that produces nothing but broken bytes gets them all out.
	maxWaiting = 32
)

// NewStream starts a stream of ids.
func (t *Tokenizer) NewStream(skipSpecial bool) *Stream {
	return &Stream{t: t, skipSpecial: skipSpecial}
}

// Push adds an id and returns the text that is now certain, which may be "".
func (s *Stream) Push(id int32) (string, error) {
	if s.skipSpecial && s.t.special[id] {
		return "", nil
	}
	ids := append(s.ids, id)
	text, err := s.t.Decode(ids, false)
	if err != nil {
		return "", err
	}
	s.ids = ids
	waiting := len(ids) - s.context
	end := len(text)
	if strings.HasSuffix(text, replacement) && waiting < maxWaiting {
		if end -= len(replacement); waiting < maxPartial {
			end = len(strings.TrimRight(text, replacement))
		}
	}
	return s.send(text, end)
}

// Flush returns what is still held back, after the last id.
func (s *Stream) Flush() string {
	text, err := s.t.Decode(s.ids, false)
	if err != nil {
		return ""
	}
	out, _ := s.send(text, len(text))
	return out
}

// send gives text out up to end. If that is all of it, the ids that waited
// become the context of the next.
func (s *Stream) send(text string, end int) (string, error) {
	if end < s.sent { // a byte that looked complete was not
		return "", nil
	}
	out := text[s.sent:end]
	s.sent = end
	if end < len(text) || out == "" {
		return out, nil
	}
	s.ids = append(s.ids[:0], s.ids[s.context:]...)
	s.context = len(s.ids)
	settled, err := s.t.Decode(s.ids, false)
	s.sent = len(settled)
	return out, err
}
