package app

import (
	"context"
	"slices"
	"sync"
)

// sending is what of a conversation goes to the model.
type sending struct {
	list    []part
	dropped []int64 // messages that do not fit
	whole   int     // tokens if nothing were left out
	tokens  int
	context int
}

// fit finds what of a conversation fits. The error is the model's sentence where
// even the last message does not.
func (h *heldChat) fit(ctx context.Context, counts *tokenCounts, list []part, o ReplyOptions) (sending, error) {
	list, tooOld, old, err := h.recent(ctx, counts, list)
	if err != nil {
		return sending{}, err
	}
	s := sending{list: list, dropped: tooOld, context: h.chat.Info().Context}
	if h.plain() {
		err = h.fitText(ctx, &s, o)
	} else {
		err = h.fitChat(ctx, &s, o)
	}
	s.whole += old
	return s, err
}

func (h *heldChat) fitChat(ctx context.Context, s *sending, o ReplyOptions) error {
	plan, err := h.chat.Plan(ctx, messages(s.list), o)
	if err != nil {
		return err
	}
	s.whole, s.tokens = plan.AllTokens, plan.PromptTokens
	for _, i := range plan.Dropped {
		s.dropped = append(s.dropped, s.list[i].of...)
	}
	return nil
}

// fitText leaves out the oldest messages, the system prompt never, until a text
// and an answer to it fit. What is too long all the same, Complete refuses.
func (h *heldChat) fitText(ctx context.Context, s *sending, o ReplyOptions) (err error) {
	room := min(512, s.context/4)
	if o.MaxTokens > 0 {
		room = min(o.MaxTokens, s.context/4)
	}
	head := 0
	if len(s.list) > 0 && s.list[0].Role == "system" {
		head = 1
	}
	for {
		if s.tokens, err = h.chat.model.Count(ctx, plainText(s.list)); err != nil {
			return err
		}
		s.whole = max(s.whole, s.tokens)
		if s.tokens <= s.context-max(1, room) || len(s.list)-head < 2 {
			return nil
		}
		s.dropped = append(s.dropped, s.list[head].of...)
		s.list = slices.Delete(slices.Clone(s.list), head, head+1)
	}
}

// recent leaves out what lies so far back that it cannot fit, so that a
// conversation of any length costs no more than its end. old is about how many
// tokens that has.
func (h *heldChat) recent(ctx context.Context, counts *tokenCounts, list []part) (kept []part, dropped []int64, old int, err error) {
	limit := 2 * h.chat.Info().Context // twice, since counts of single messages are not exact
	from := len(list)
	for sum := 0; from > 0 && sum <= limit; {
		from--
		count := counts.of
		if from == len(list)-1 { // being written, mostly, and another the next time
			count = func(ctx context.Context, h *heldChat, text string) (int, error) { return h.chat.model.Count(ctx, text) }
		}
		n, err := count(ctx, h, list[from].Content)
		if err != nil {
			return nil, nil, 0, err
		}
		sum += n
	}
	for from > 0 && from < len(list)-1 && list[from].Role != RoleUser {
		from++ // turns begin with what the person says
	}
	head := 0
	if len(list) > 0 && list[0].Role == "system" {
		head = 1
	}
	if from <= head {
		return list, nil, 0, nil
	}
	for _, p := range list[head:from] {
		dropped = append(dropped, p.of...)
		old += len(p.Content) / bytesPerToken
	}
	return append(slices.Clone(list[:head]), list[from:]...), dropped, old, nil
}

// bytesPerToken is a usual number for English text.
const bytesPerToken = 4

// tokenCounts remembers how many tokens texts have, for one model.
type tokenCounts struct {
	mu    sync.Mutex
	model string
	known map[string]int
	bytes int // of the texts
}

const maxCountedBytes = 32 << 20

// told gives an attachment the number of its tokens, where that is known.
func (c *tokenCounts) told(list []Attachment) []Attachment {
	list = slices.Clone(list)
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range list {
		if n, ok := c.known[list[i].Text]; ok {
			list[i].Tokens = n
		}
	}
	return list
}

// of returns the tokens of a text, counted once.
func (c *tokenCounts) of(ctx context.Context, h *heldChat, text string) (int, error) {
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
	n, err := h.chat.model.Count(ctx, text)
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
