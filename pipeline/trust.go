package pipeline

import (
	"context"
	"errors"
	"fmt"
)

// obvious is a question with a text that answers it and one that has nothing to do
// with it. The answer shares most words with the question, so a reranker of any
// language that reads Latin letters tells them apart.
var obvious = struct{ query, right, wrong string }{
	query: "What is the capital of France?",
	right: "The capital of France is Paris.",
	wrong: "Boil the potatoes in salted water until they are soft.",
}

// selfTest scores the obvious question and keeps why the reranker cannot be relied
// on. A model whose pairs are joined wrongly, that has lost its head or was never
// trained to rank fails here, where its scores would look like any others. It
// returns an error only where the model cannot be run at all.
func (r *reranker) selfTest(ctx context.Context) error {
	got, err := r.Score(ctx, obvious.query, []string{obvious.right, obvious.wrong}, RerankRequest{})
	if err != nil && !errors.Is(err, errNotFinite) {
		return err
	}
	enc := r.enc
	if r.embedder != nil {
		enc = r.embedder.enc
	}
	enc.tellLater(got.Notices) // nobody has heard of them
	r.untrusted = distrust(got.Values, err)
	return nil
}

// Distrusted asks any Reranker the obvious question, and says in a clause why it cannot be
// relied on; "": it can.
func Distrusted(ctx context.Context, r Reranker) (string, error) {
	got, err := r.Score(ctx, obvious.query, []string{obvious.right, obvious.wrong}, RerankRequest{})
	if err != nil {
		return "", err
	}
	return distrust(got.Values, nil), nil
}

// leastLead is by how much the right text has to lead. Scores run from 0 to 1, from
// -1 to 1, or wider; a smaller lead is what is left by rounding.
const leastLead = 1e-3

// distrust says in a clause what is wrong with the scores of the right and the wrong
// text; "": nothing.
func distrust(scores []float32, err error) string {
	if err != nil {
		return "its scores are not numbers: " + errNotFinite.Error()
	}
	right, wrong := scores[0], scores[1]
	switch {
	case wrong >= right+leastLead:
		return fmt.Sprintf("asked %q, it scores %q higher (%.4g) than %q (%.4g)", obvious.query, obvious.wrong, wrong, obvious.right, right)
	case right < wrong+leastLead:
		return fmt.Sprintf("it gives texts that have nothing in common nearly the same score (%.4g and %.4g)", right, wrong)
	}
	return ""
}
