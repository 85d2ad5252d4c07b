package cli

import (
	"context"
	"errors"

	"inglenook/app/texts"
	"inglenook/plain"
)

func rerankCommand() command {
	return command{
		name: "rerank", args: "[DOC…]", about: "Score documents (arguments, or a line each on standard input) against a query, best first",
		notes: "A reranker reads a document that is too long for it in overlapping parts; it scores as its best part does.\n" +
			"A model without a head for scores, such as an embedder, scores by the cosine of its vectors for query and document, and reads\n" +
			"the beginning of a long one; --pooling makes any model do so. The vector is the state of the first token (cls), the mean of\n" +
			"all states (mean), or the model's own layer over the first one (pooler). A language model that was trained to rank is asked whether\n" +
			"a document answers the query; where its files do not say in which words, --form does. Every model is asked an obvious question first; what\n" +
			"it gets wrong is said.\n" + typedNote,
		setup: func(f *flags) action {
			var r texts.RerankRequest
			f.withModel()
			f.StringVar(&r.Query, "query", "", "`TEXT` to look for")
			f.oneOf(&r.Pooling, "pooling", "", texts.Poolings(), "score by the cosine of vectors pooled by `MODE`")
			f.oneOf(&r.Form, "form", "", texts.Forms(), "ask a language model in the words of `NAME`")
			f.withWeights(&r.Weights)
			f.require(func([]string) error {
				if plain.IsBlank(r.Query) {
					return errors.New("--query is missing; give what the documents should answer")
				}
				return nil
			})
			return func(ctx context.Context, c *call) error {
				r.Model, r.Device = f.model, f.device
				return rerank(ctx, c, r)
			}
		},
	}
}

type rankedJSON struct {
	Index    int     `json:"index"`
	Score    float32 `json:"score"`
	Document string  `json:"document"`
}

func rerank(ctx context.Context, c *call, r texts.RerankRequest) (err error) {
	if r.Texts, err = c.texts(); err != nil {
		return err
	}
	got, err := c.Rerank(ctx, r, c.progress)
	if err != nil {
		return err
	}
	c.noteFallbacks(got.Fallbacks, got.Notices)
	c.note(got.Notes...)
	if got.Untrusted != "" {
		c.note("scores untrusted: " + got.Untrusted)
	}
	results := []rankedJSON{}
	for _, x := range got.Ranking {
		if !c.json {
			c.printf("%9.4f  %3d  %s\n", x.Score, x.Index+1, plain.Line(r.Texts[x.Index], 90))
			continue
		}
		results = append(results, rankedJSON{x.Index, x.Score, r.Texts[x.Index]})
	}
	if !c.json {
		return nil
	}
	return c.printJSON(map[string]any{
		"results": results, "method": got.Method, "pooling": got.Pooling, "untrusted": got.Untrusted, "seconds": got.Took.Seconds(),
		"device": got.Device, "fallbacks": fallbacksJSON(got.Fallbacks, got.Notices),
	})
}
