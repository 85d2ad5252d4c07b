package cli

import (
	"context"

	"inglenook/app/texts"
	"inglenook/plain"
)

func classifyCommand() command {
	return command{
		name: "classify", args: "[TEXT…]", about: "Give texts (arguments, or a line each on standard input) the labels of a classifier, the most probable first",
		notes: "Labels have the names that the model's files give them. Of several labels, the probabilities add up to 1, unless the model says that a text\n" +
			"may have several at once; a single label has its own. A longer text than the model reads is cut there.\n" + typedNote,
		setup: func(f *flags) action {
			var r texts.ClassifyRequest
			f.withModel()
			f.withWeights(&r.Weights)
			return func(ctx context.Context, c *call) error {
				r.Model, r.Device = f.model, f.device
				return classify(ctx, c, r)
			}
		},
	}
}

type classifiedJSON struct {
	Index     int         `json:"index"`
	Labels    []labelJSON `json:"labels"`
	Kind      string      `json:"kind"`
	Tokens    int         `json:"tokens"`
	Truncated bool        `json:"truncated"`
}

type labelJSON struct {
	Label string  `json:"label"`
	Score float32 `json:"score"`
}

func classify(ctx context.Context, c *call, r texts.ClassifyRequest) (err error) {
	if r.Texts, err = c.texts(); err != nil {
		return err
	}
	got, err := c.Classify(ctx, r, c.progress)
	if err != nil {
		return err
	}
	c.noteFallbacks(got.Fallbacks, got.Notices)
	c.note(got.Notes...)
	results := []classifiedJSON{}
	for i, labels := range got.Labels {
		row := classifiedJSON{Index: i, Kind: got.Kind, Tokens: got.Tokens[i], Truncated: got.Truncated[i]}
		if !c.json {
			c.printf("%s\n", plain.Line(r.Texts[i], 90))
		}
		for _, l := range labels {
			row.Labels = append(row.Labels, labelJSON{l.Name, l.Value})
			if !c.json {
				c.printf("%9.4f  %s\n", l.Value, plain.Line(l.Name, 60))
			}
		}
		results = append(results, row)
	}
	if !c.json {
		return nil
	}
	return c.printJSON(results)
}
