package sampling

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Stopper finds stop strings in a reply that arrives in pieces, wherever the
// pieces are split. It holds back text that may be the beginning of a stop
// string, never more than the length of the longest one. The text it returns in
// total does not depend on the pieces.
type Stopper struct {
	stops   []string
	held    string
	stopped bool
}

// NewStopper returns a Stopper for stop strings; the list may be empty.
func NewStopper(stops []string) (*Stopper, error) {
	for _, stop := range stops {
		if stop == "" {
			return nil, errors.New("a stop string is empty, which would stop every reply before it begins; leave it out")
		}
		if !utf8.ValidString(stop) {
			return nil, fmt.Errorf("the stop string %q is not UTF-8 text; give it as text", stop)
		}
	}
	return &Stopper{stops: stops}, nil
}

// Push takes the next piece. It returns the text that is safe to show, and
// whether a stop string is complete. If there are several, the first to be
// complete counts, and of those the longest; neither it nor what follows is
// ever returned.
func (s *Stopper) Push(piece string) (text string, stopped bool) {
	if s.stopped {
		return "", true
	}
	text = s.held + piece
	begin, end := -1, len(text)+1
	for _, stop := range s.stops {
		if i := strings.Index(text, stop); i >= 0 && (i+len(stop) < end || i+len(stop) == end && i < begin) {
			begin, end = i, i+len(stop)
		}
	}
	if begin >= 0 {
		s.held, s.stopped = "", true
		return text[:begin], true
	}
	hold := 0
	for _, stop := range s.stops {
		hold = max(hold, overlap(text, stop))
	}
	s.held = text[len(text)-hold:]
	return text[:len(text)-hold], false
}

// Flush returns the text held back, at the end of a reply without a stop
// string.
func (s *Stopper) Flush() string {
	text := s.held
	s.held = ""
	return text
}

// overlap returns the length of the longest suffix of text that is a proper
// prefix of mark.
func overlap(text, mark string) int {
	for n := min(len(text), len(mark)-1); n > 0; n-- {
		if text[len(text)-n:] == mark[:n] {
			return n
		}
	}
	return 0
}
