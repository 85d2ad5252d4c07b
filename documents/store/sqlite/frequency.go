package sqlite

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"inglenook/documents/store"
)

// mostMatches is about how many passages a search by words scores. Words that
// are in more passages say little, and scoring takes microseconds a passage.
const mostMatches = 5000

// frequencies remembers in how many passages words are.
type frequencies struct {
	mu       sync.Mutex
	passages int // when they were counted
	of       map[string]int
}

// selective leaves out the most frequent words of a search, as far as the others
// are in enough passages. The rarest word stays.
func (c *Collection) selective(ctx context.Context, w store.Words) (store.Words, error) {
	if len(w.Phrases) > 0 || len(w.Any) < 2 || c.passages() <= mostMatches {
		return w, nil
	}
	type counted struct {
		word string
		n    int
	}
	var words []counted
	for _, word := range w.Any {
		n, err := c.frequency(ctx, word)
		if err != nil {
			return w, err
		}
		words = append(words, counted{word, n})
	}
	slices.SortStableFunc(words, func(a, b counted) int { return cmp.Compare(a.n, b.n) })
	var kept store.Words
	matches := 0
	for _, word := range words {
		if matches += word.n; matches > mostMatches && matches > word.n {
			break
		}
		kept.Any = append(kept.Any, word.word)
	}
	return kept, nil
}

// frequency returns in how many passages a word is, mostMatches+1 for more.
func (c *Collection) frequency(ctx context.Context, word string) (n int, err error) {
	passages := c.passages()
	f := &c.frequent
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil || len(f.of) > 10_000 || 10*max(passages-f.passages, f.passages-passages) > passages {
		f.of, f.passages = map[string]int{}, passages
	}
	if n, ok := f.of[word]; ok {
		return n, nil
	}
	match := expression(store.Words{Any: []string{word}})
	if match == "" {
		return 0, nil
	}
	err = c.reader.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)", match, mostMatches+1).Scan(&n)
	if err == nil {
		f.of[word] = n
	}
	return n, err
}

func (c *Collection) passages() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.rows.count
}

// mostScore returns the score of a passage that is full of all searched words. FTS5's BM25
// gives each word at most 1+k1 times the logarithm of how rare it is, with k1 = 1.2, and
// almost nothing to a word that is in half of the passages.
func (c *Collection) mostScore(ctx context.Context, w store.Words) (most float64, err error) {
	words := w.Any
	if len(w.Phrases) > 0 {
		words = w.Phrases
	}
	for _, word := range words {
		n, err := c.frequency(ctx, word)
		if err != nil {
			return 0, err
		}
		rare := math.Log((float64(c.passages()-n) + 0.5) / (float64(n) + 0.5))
		most += 2.2 * max(rare, 1e-6)
	}
	return most, nil
}
