package chunk

import (
	"regexp"
	"slices"
	"strings"

	"inglenook/documents"
)

// A context is what stands before a passage that begins in a certain block.
type context struct {
	headings []string
	heads    string // the block's own text in a line, where it is a heading
	text     string
	tokens   int
}

// findContexts finds the context of every block. Each different text is counted
// once; what takes more than a third of a passage is cut.
func (s *splitter) findContexts() error {
	s.contexts = make([]context, len(s.blocks))
	var path headings
	header := ""
	for i, b := range s.blocks {
		text := strings.TrimSpace(s.doc.Text[b.Start:b.End])
		if b.Kind == documents.Heading {
			path = path.above(b.Level)
		}
		s.contexts[i].headings = path.texts()
		s.contexts[i].text = strings.Join(path.under(s.doc.Title), " › ")
		switch b.Kind {
		case documents.Heading:
			s.contexts[i].heads = s.headingText(text)
			path = append(path, heading{b.Level, s.contexts[i].heads})
			header = ""
		case documents.TableHeader:
			header = text
		case documents.TableRow:
			s.contexts[i].text = strings.TrimPrefix(s.contexts[i].text+"\n\n"+header, "\n\n")
		default:
			header = ""
		}
		s.contexts[i].text = strings.TrimSpace(s.contexts[i].text)
	}
	return s.countContexts()
}

// markdownHeading is a heading without the signs that make it one: those around it, or
// the line below it.
var markdownHeading = regexp.MustCompile(`^(?:#{1,6}[ \t]+)?(.*?)(?:[ \t]+#+)?(?:\n[=-]+)?\s*$`)

// headingText is the text of a heading in one line.
func (s *splitter) headingText(text string) string {
	if s.doc.Format == "markdown" {
		text = markdownHeading.ReplaceAllString(text, "$1")
	}
	return oneLine(text)
}

func (s *splitter) countContexts() error {
	var texts []string
	place := map[string]int{}
	for _, c := range s.contexts {
		if _, ok := place[c.text]; !ok {
			place[c.text] = len(texts)
			texts = append(texts, c.text)
		}
	}
	most := s.size / 3
	for i, text := range texts {
		if longest := 8 * most; len(text) > longest {
			texts[i] = strings.TrimSpace(text[:cutBefore(text, longest)])
		}
	}
	counts, err := count(s.counter, texts)
	if err != nil {
		return err
	}
	for i := range texts {
		for counts[i] > most {
			texts[i] = strings.TrimSpace(texts[i][:halfway(texts[i])])
			n, err := s.counter.CountTokens(texts[i : i+1])
			if err != nil {
				return err
			}
			counts[i] = n[0]
		}
	}
	for i := range s.contexts {
		k := place[s.contexts[i].text]
		s.contexts[i].text, s.contexts[i].tokens = texts[k], counts[k]
	}
	return nil
}

type heading struct {
	level int
	text  string
}

// headings is a path of headings, outermost first.
type headings []heading

// above returns the headings that stay above one of the given level.
func (h headings) above(level int) headings {
	for len(h) > 0 && h[len(h)-1].level >= level {
		h = h[:len(h)-1]
	}
	return slices.Clip(h)
}

func (h headings) texts() []string {
	var texts []string
	for _, one := range h {
		texts = append(texts, one.text)
	}
	return texts
}

// under returns the path with the document's title above it, if the title is not
// the outermost heading itself.
func (h headings) under(title string) []string {
	title = oneLine(title)
	texts := h.texts()
	if title == "" || len(texts) > 0 && strings.EqualFold(texts[0], title) {
		return texts
	}
	return append([]string{title}, texts...)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
