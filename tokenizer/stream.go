package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// Stream turns ids into text one at a time. What it has given so far, joined,
// is always the beginning of what Decode gives for all ids. For that it holds
// text back while a character is incomplete. One goroutine may use it.
//
// Decoding one id alone is wrong: a character may be spread over several ids,
// and many decoders treat the first token differently. So the ids since the
// last complete character are decoded twice, with and without the new ones,
// and the difference is the new text.
type Stream struct {
	t           *Tokenizer
	skipSpecial bool
	ids         []int32
	prefix      int // ids[prefix:read] gives the context, and its text is out
	read        int // ids[read:] is not out yet
}

// A broken character that is never completed is given out as U+FFFD when this
// many tokens wait: no character has more bytes.
const maxWaiting = utf8.UTFMax

// NewStream starts a stream of ids.
func (t *Tokenizer) NewStream(skipSpecial bool) *Stream {
	return &Stream{t: t, skipSpecial: skipSpecial}
}

// Push adds an id and returns the text that is now certain, which may be "".
func (s *Stream) Push(id int32) (string, error) {
	s.ids = append(s.ids, id)
	text, err := s.news()
	if err != nil {
		s.ids = s.ids[:len(s.ids)-1]
		return "", err
	}
	if text == "" || strings.HasSuffix(text, "\uFFFD") && len(s.ids)-s.read < maxWaiting {
		return "", nil
	}
	s.advance()
	return text, nil
}

// Flush returns what is still held back, after the last id.
func (s *Stream) Flush() string {
	text, err := s.news()
	if err != nil {
		return ""
	}
	s.advance()
	return text
}

// news is the text that ids[read:] add.
func (s *Stream) news() (string, error) {
	old, err := s.t.Decode(s.ids[s.prefix:s.read], s.skipSpecial)
	if err != nil {
		return "", err
	}
	now, err := s.t.Decode(s.ids[s.prefix:], s.skipSpecial)
	if err != nil || len(now) <= len(old) {
		return "", err
	}
	return now[len(old):], nil
}

func (s *Stream) advance() {
	s.prefix, s.read = s.read, len(s.ids)
	if s.prefix > 1024 { // the ids before are never needed again
		s.ids = append(s.ids[:0], s.ids[s.prefix:]...)
		s.prefix, s.read = 0, s.read-s.prefix
	}
}
