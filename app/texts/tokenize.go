package texts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/pool"
	"inglenook/pipeline"
	"inglenook/pipeline/chattemplate"
)

// TokenizeRequest asks for the tokens of a text.
type TokenizeRequest struct {
	Model     string
	Text      string
	NoSpecial bool // without the control tokens that the model's template adds
}

// TokenizeResult holds one entry a token.
type TokenizeResult struct {
	IDs     []int32
	Tokens  []string
	Offsets [][2]int // byte range in the text; 0, 0 for control tokens
	TypeIDs []int32
}

// Tokenize turns a text into the model's tokens.
func (t *Service) Tokenize(ctx context.Context, r TokenizeRequest) (result TokenizeResult, err error) {
	if r.Text == "" {
		return result, errors.New("there is no text to tokenize; give one")
	}
	err = t.withTokenizer(ctx, r.Model, func(t *pipeline.Tokenizer) error {
		got, err := t.Encode(r.Text, pipeline.TokenizeOptions{NoSpecial: r.NoSpecial, Attributes: true})
		result = TokenizeResult{IDs: got.IDs, Tokens: got.Tokens, Offsets: got.Offsets, TypeIDs: got.Types}
		return err
	})
	return result, err
}

// Detokenize turns token ids back into text; control tokens are left out
// where noSpecial is set.
func (t *Service) Detokenize(ctx context.Context, model string, ids []int32, noSpecial bool) (text string, err error) {
	if len(ids) == 0 {
		return "", errors.New("there are no token ids to decode; give at least one")
	}
	err = t.withTokenizer(ctx, model, func(t *pipeline.Tokenizer) error {
		text, err = t.Decode(ids, noSpecial)
		return err
	})
	return text, err
}

// ChatRequest asks for the prompt that a model's chat template makes.
type ChatRequest struct {
	Model    string
	Messages io.Reader // JSON, as chattemplate.ReadConversation takes it
}

// ChatResult is a rendered conversation. Control tokens in IDs are those of the
// template; what the conversation holds of them is text.
type ChatResult struct {
	Text string
	IDs  []int32
}

// RenderChat renders messages with the model's chat template.
func (t *Service) RenderChat(ctx context.Context, r ChatRequest) (result ChatResult, err error) {
	conversation, err := chattemplate.ReadConversation(r.Messages)
	if err != nil {
		return result, err
	}
	err = withModel(ctx, t, "chat template", r.Model, pipeline.OpenChatTokenizer, func(ctx context.Context, c *pipeline.ChatTokenizer) error {
		rendered, err := c.Render(ctx, conversation)
		if err != nil {
			return err
		}
		result.Text = rendered.Text
		result.IDs, err = c.IDs(ctx, rendered)
		return err
	})
	return result, err
}

func (t *Service) withTokenizer(ctx context.Context, model string, use func(*pipeline.Tokenizer) error) error {
	return withModel(ctx, t, "tokenize", model, pipeline.OpenTokenizer, func(_ context.Context, t *pipeline.Tokenizer) error { return use(t) })
}

// withModel needs no weights, so a model that cannot run has its tokenizer and
// its chat template all the same.
func withModel[T io.Closer](ctx context.Context, s *Service, job, model string, open func(fs.FS, string) (T, error), use func(context.Context, T) error) error {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	e, err := s.library.Find(ctx, model)
	if err != nil {
		return err
	}
	start := time.Now()
	held, err := pool.OpenOn(ctx, s.pool, job, e, pool.Choice{}, devices.Hold{}, "", func(_ context.Context, c pool.Checkpoint) (T, error) {
		return open(c.Files, c.WeightsFile)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	defer held.Release()
	if err := use(ctx, held.Model); err != nil {
		return base.InContext(ctx, fmt.Errorf("%s: %w", e.Name, err))
	}
	s.log.Info(job, "model", e.ID, "took", time.Since(start).Round(time.Microsecond))
	return nil
}
