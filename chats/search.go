package chats

import (
	"bytes"
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

const (
	maxWords   = 32               // of a query; the rest is searched as one phrase
	contextual = 60               // bytes of a snippet before the match
	rawBytes   = 4 * snippetBytes // that are looked at behind it
)

// The ranks of hits: all words in the title, in one message, in several.
const (
	inTitle = iota
	inMessage
	scattered
)

// hit is a conversation that a search found.
type hit struct {
	conversation *conversation
	rank         int
	message      *message // the message that matched; nil: only the title did
	word         []byte   // the word to show there
}

// Search returns the conversations that contain all words of the query as parts of
// words, ignoring case and accents: in titles, messages of all branches and
// attachments, but not in the trash. Conversations with all words in the title come
// first, then those with all words in one message, then others; each group is
// sorted newest first. It returns at most limit results, or all if limit is 0. An
// empty query matches everything.
func (s *Store) Search(query string, limit int) []Summary {
	fold := s.folding()
	words := queryWords(fold, query)
	var list []Summary
	if len(words) == 0 {
		list = s.List()
		return list[:atMost(limit, len(list))]
	}
	hits := find(s.snapshots(), fold, words)
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), newer(a.conversation, b.conversation))
	})
	for _, h := range hits[:atMost(limit, len(hits))] {
		list = append(list, h.summary(fold))
	}
	return list
}

func atMost(limit, n int) int {
	if limit > 0 {
		return min(limit, n)
	}
	return n
}

// queryWords returns the folded words of a query, longest first because they are
// the rarest.
func queryWords(fold *folding, query string) [][]byte {
	words := bytes.Fields(fold.text(nil, valid(query)))
	if len(words) > maxWords {
		words = append(words[:maxWords-1:maxWords-1], bytes.Join(words[maxWords-1:], []byte(" ")))
	}
	slices.SortStableFunc(words, func(a, b []byte) int { return cmp.Compare(len(b), len(a)) })
	return words
}

// snapshots returns snapshots of the conversations outside of the trash.
func (s *Store) snapshots() []*conversation {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]*conversation, 0, len(s.state.conversations))
	for _, c := range s.state.conversations {
		if c.head.Deleted.IsZero() {
			list = append(list, c.snapshot())
		}
	}
	return list
}

// find searches conversations on all processors.
func find(list []*conversation, fold *folding, words [][]byte) []hit {
	const portion = 64
	var next atomic.Int64
	var mu sync.Mutex
	var hits []hit
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var found []hit
			page := page{fold: fold}
			for {
				to := int(next.Add(portion))
				from := to - portion
				if from >= len(list) {
					break
				}
				for _, c := range list[from:min(to, len(list))] {
					if h, ok := page.look(c, words); ok {
						found = append(found, h)
					}
				}
			}
			mu.Lock()
			defer mu.Unlock()
			hits = append(hits, found...)
		})
	}
	wg.Wait()
	return hits
}

// page holds the folded texts of one conversation, end to end: the title, then one
// part for each message.
type page struct {
	fold *folding
	text []byte
	ends []int
}

// add appends a text to the last part, and a byte that is not in any word, so that no
// match crosses it.
func (p *page) add(text string) { p.text = append(p.fold.text(p.text, text), 0xff) }

// end ends the last part.
func (p *page) end() { p.ends = append(p.ends, len(p.text)) }

func (p *page) part(i int) []byte {
	from := 0
	if i > 0 {
		from = p.ends[i-1]
	}
	return p.text[from:p.ends[i]]
}

// searched yields the texts of a message in which a search looks: first what was written,
// then the names and texts of its files.
func (m *message) searched(yield func(string) bool) {
	if !yield(m.Text()) {
		return
	}
	for _, p := range m.Parts {
		if p.Kind == PartFile && !(yield(p.Name) && yield(p.Text)) {
			return
		}
	}
}

// look searches a conversation for words.
func (p *page) look(c *conversation, words [][]byte) (hit, bool) {
	p.text, p.ends = p.text[:0], p.ends[:0]
	messages := c.visible()
	p.add(c.head.Title)
	p.end()
	for _, m := range messages {
		for text := range m.searched {
			p.add(text)
		}
		p.end()
	}
	if !containsAll(p.text, words) {
		return hit{}, false
	}
	h := hit{conversation: c, rank: scattered, word: words[0]}
	for i := len(messages) - 1; i >= 0; i-- {
		if containsAll(p.part(i+1), words) {
			h.rank, h.message = inMessage, messages[i]
			break
		}
		if h.message == nil && bytes.Contains(p.part(i+1), h.word) {
			h.message = messages[i]
		}
	}
	if containsAll(p.part(0), words) {
		h.rank = inTitle
	}
	return h, true
}

func containsAll(text []byte, words [][]byte) bool {
	for _, w := range words {
		if !bytes.Contains(text, w) {
			return false
		}
	}
	return true
}

// summary returns a summary that shows the match.
func (h hit) summary(fold *folding) Summary {
	s := h.conversation.head.Summary
	if h.message == nil {
		return s
	}
	s.Found = h.message.ID
	shown := asWritten
	if h.message.Role == RoleAssistant {
		shown = WithoutMarkup
	}
	for text := range h.message.searched {
		if from, to, ok := fold.place(text, h.word); ok {
			s.Snippet, s.Match = excerpt(text, from, to, shown)
			break
		}
	}
	return s
}

// asWritten is a text of which all is shown.
func asWritten(text string) string { return text }

// excerpt returns one line of a text around the given bytes, and their position in
// the line. What stands around them is shown without its markup, if shown takes that away.
func excerpt(text string, from, to int, shown func(string) string) (line string, match [2]int) {
	start := max(0, from-contextual)
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	if start > 0 {
		line = "…"
	}
	line += squeeze(shown(text[start:from]), len(text))
	match[0] = len(line)
	line += squeeze(text[from:to], len(text))
	match[1] = len(line)
	if rest := squeeze(shown(strings.ToValidUTF8(text[to:min(len(text), to+rawBytes)], "")), max(0, snippetBytes-len(line))); len(line)+len(rest) > snippetBytes {
		line += rest + "…"
	} else {
		line += rest
	}
	return line, match
}
