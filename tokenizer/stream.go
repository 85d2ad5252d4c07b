package tokenizer

import "unicode/utf8"

// Stream turns ids into text one at a time. The concatenation of what it
// returns is what Decode returns for all the ids. Each part is valid UTF-8: a
// Stream holds text back while a character is incomplete. Only one goroutine
// at a time may use it.
type Stream struct {
	t           *Tokenizer
	skipSpecial bool
	joiner      *joiner // nil for a decoder that looks at several tokens
	ids         []int32 // all ids, for a decoder that looks at several tokens
	text        string  // their text
	sent        int     // how many bytes of it have been returned
}

// NewStream starts a stream that decodes ids.
func (t *Tokenizer) NewStream(skipSpecial bool) *Stream {
	s := &Stream{t: t, skipSpecial: skipSpecial}
	if t.joins {
		s.joiner = newJoiner(t)
	}
	return s
}

// Push adds an id and returns the text that is now certain, which may be "".
func (s *Stream) Push(id int32) (string, error) {
	if s.skipSpecial && s.t.special[id] {
		return "", nil
	}
	if s.joiner == nil {
		return s.pushWhole(id)
	}
	if err := s.t.check(0, id); err != nil {
		return "", err
	}
	return s.joiner.add(id), nil
}

// pushWhole decodes all ids again and returns the text that is now certain.
func (s *Stream) pushWhole(id int32) (string, error) {
	text, err := s.t.Decode(append(s.ids, id), false)
	if err != nil {
		return "", err
	}
	s.ids = append(s.ids, id)
	certain := 0
	for certain < min(len(text), len(s.text)) && text[certain] == s.text[certain] {
		certain++
	}
	for certain < len(text) && !utf8.RuneStart(text[certain]) {
		certain--
	}
	s.text = text
	return s.send(certain), nil
}

// Flush returns the text still held back after the last id.
func (s *Stream) Flush() string {
	if s.joiner != nil {
		return s.joiner.end()
	}
	return s.send(len(s.text))
}

func (s *Stream) send(end int) string {
	if end <= s.sent {
		return ""
	}
	out := s.text[s.sent:end]
	s.sent = end
	return out
}
