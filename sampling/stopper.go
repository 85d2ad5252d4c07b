package sampling

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Stopper finds stop strings in a reply that arrives in pieces, wherever the
// pieces' borders are. It holds back text that may be the beginning of a stop
// string, never more than the longest one has. What it gives out does not
// depend on the pieces.
type Stopper struct {
	stops   []string
	held    string
	stopped bool
}

// NewStopper makes a Stopper for stop strings, of which there may be none.
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

// Push takes the next piece and returns the text that is safe to show, and
// whether a stop string is complete. Of several the one that is complete first
// counts, of those the longest; neither it nor what follows is ever returned.
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

// Flush returns what is held back, at the end of a reply without a stop string.
func (s *Stopper) Flush() string {
	text := s.held
	s.held = ""
	return text
}

// overlap is the length of the longest end of text with which mark begins, the
// whole of mark left out.
func overlap(text, mark string) int {
	for n := min(len(text), len(mark)-1); n > 0; n-- {
		if text[len(text)-n:] == mark[:n] {
			return n
		}
	}
	return 0
}
