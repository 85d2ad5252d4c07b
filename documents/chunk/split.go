// Package chunk cuts documents into passages of a few hundred tokens. A passage
// ends where a sentence, a line of code or a row of a table ends, begins anew at
// headings, and carries what is needed to understand it alone: the headings
// above it and the header of its table.
package chunk

import (
	"fmt"

	"inglenook/documents"
)

// Options say how large passages are.
type Options struct {
	Tokens  int // of a passage with its context, at most; the model's own limit holds as well
	Overlap int // tokens that a passage repeats from the one before, at most; whole sentences only
}

// Defaults are the sizes that are used when nothing else is asked for.
func Defaults() Options { return Options{Tokens: 256, Overlap: 32} }

// A Counter counts tokens as an embedder does; documents.Embedder is one.
type Counter interface {
	MaxTokens() int
	CountTokens(texts []string) ([]int, error)
}

// leastTokens is the smallest passage that can be asked for. One character may
// be several tokens, and a context has to fit as well.
const leastTokens = 16

// Split cuts doc into passages, in order. Each byte of each block that is not
// white space alone is in a passage, and no passage has more tokens than the
// model reads. A document without blocks is one paragraph.
func Split(doc *documents.Document, counter Counter, o Options) ([]documents.Chunk, error) {
	size := min(o.Tokens, counter.MaxTokens())
	if size < leastTokens {
		return nil, fmt.Errorf("passages of %d tokens are too small, the least is %d", size, leastTokens)
	}
	blocks, err := checked(doc)
	if err != nil {
		return nil, err
	}
	s := &splitter{doc: doc, blocks: blocks, counter: counter, size: size, overlap: max(0, min(o.Overlap, size/2))}
	if err := s.findContexts(); err != nil {
		return nil, fmt.Errorf("count the tokens of headings: %w", err)
	}
	if err := s.findUnits(); err != nil {
		return nil, fmt.Errorf("count the tokens of sentences: %w", err)
	}
	chunks, err := s.fitted(s.pack())
	if err != nil {
		return nil, fmt.Errorf("count the tokens of passages: %w", err)
	}
	return chunks, nil
}

// A splitter cuts one document.
type splitter struct {
	doc      *documents.Document
	blocks   []documents.Block
	counter  Counter
	size     int // tokens of a passage with its context
	overlap  int
	contexts []context // one a block
	units    []unit
}

// checked returns the blocks of a document once they are known to lie in order
// within its text.
func checked(doc *documents.Document) ([]documents.Block, error) {
	if len(doc.Blocks) == 0 {
		return []documents.Block{{End: len(doc.Text), Line: 1}}, nil
	}
	end := 0
	for i, b := range doc.Blocks {
		if b.Start < end || b.End < b.Start || b.End > len(doc.Text) {
			return nil, fmt.Errorf("block %d covers bytes %d to %d, after one that ends at %d in a text of %d", i, b.Start, b.End, end, len(doc.Text))
		}
		end = b.End
	}
	return doc.Blocks, nil
}
