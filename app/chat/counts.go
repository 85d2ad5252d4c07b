package chat

import (
	"context"
	"slices"
	"sync"
)

// counter is a Writer that counts the tokens of a text.
type counter interface {
	Count(ctx context.Context, text string) (int, error)
}

// bytesPerToken is a usual number for English text.
const bytesPerToken = 4

// aboutTokens estimates the tokens of a text.
func aboutTokens(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

// count returns the tokens of a text, an estimate where the model cannot count.
func (h *loaded) count(ctx context.Context, text string) (int, error) {
	if c, ok := h.chat.model.(counter); ok {
		return c.Count(ctx, text)
	}
	return aboutTokens(text), nil
}

// tokenCounts remembers how many tokens texts have, for one model.
type tokenCounts struct {
	mu    sync.Mutex
	model string
	known map[string]int
	bytes int // of the texts
}

const maxCountedBytes = 32 << 20

// withTokens returns parts in which files and passages have the number of their tokens, where that is
// known.
func (c *tokenCounts) withTokens(parts []Part) []Part {
	parts = slices.Clone(parts)
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, p := range parts {
		if n, ok := c.known[p.Text]; ok && p.Kind != PartText {
			parts[i].Tokens = n
		}
	}
	return parts
}

// of returns the tokens of a text, counted once.
func (c *tokenCounts) of(ctx context.Context, h *loaded, text string) (int, error) {
	model := h.chat.Model.ID + h.chat.stamp
	c.mu.Lock()
	if c.model != model || c.bytes > maxCountedBytes {
		c.model, c.known, c.bytes = model, map[string]int{}, 0
	}
	n, ok := c.known[text]
	c.mu.Unlock()
	if ok {
		return n, nil
	}
	n, err := h.count(ctx, text)
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.model == model {
		c.known[text] = n
		c.bytes += len(text)
	}
	return n, nil
}
