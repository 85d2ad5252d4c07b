package documents

import (
	"context"
	"time"

	text "inglenook/documents"
	"inglenook/hub/fault"
)

// serverQuestionTime is how long a model of a server may take to open, and then for a
// question, where the search can go by words alone.
const serverQuestionTime = 10 * time.Second

// within calls do with a context that ends after a limit. If that is why do failed, the error
// says that the model did not answer in time, and is one of its server.
func within(ctx context.Context, limit time.Duration, model string, do func(ctx context.Context) error) error {
	limited, end := context.WithTimeout(ctx, limit)
	defer end()
	err := do(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return fault.New(fault.ErrUnreachable, nil, "%s did not answer within %.0f seconds", model, limit.Seconds())
	}
	return err
}

// hurried is an embedder whose questions are given up after a limit.
type hurried struct {
	text.Embedder
	model string
	limit time.Duration
}

// EmbedQuery implements documents.Embedder.
func (h hurried) EmbedQuery(ctx context.Context, question string) (v []float32, err error) {
	err = within(ctx, h.limit, h.model, func(ctx context.Context) error {
		v, err = h.Embedder.EmbedQuery(ctx, question)
		return err
	})
	return v, err
}
