package cli

import (
	"context"
	"errors"
	"strings"

	"inglenook/app/texts"
	"inglenook/plain"
)

func classifyCommand() command {
	return command{
		name: "classify", args: "[TEXT…]", about: "Give texts (arguments, or a line each on standard input) what a classifier finds, labels, entities, or words for gaps, or labels of your own",
		notes: "A model for labels gives each text its labels, the most probable first. One for entities marks names and the like where they stand, in bytes of the\n" +
			"text. One for gaps gives the most probable words for each ___ or [MASK] in a text.\n" +
			"Labels have the names that the model's files give them. Of several labels, the probabilities add up to 1, unless the model says that a text\n" +
			"may have several at once; a single label has its own. A longer text than the model reads is cut there.\n" +
			"With --labels, an embedding model chooses among labels of your own: each becomes a sentence, and a text has the more of a label the closer it is to\n" +
			"that sentence. The numbers are a softmax of the cosines, times 20 for texts and 100 for pictures. They add up to 1 even if no label fits. SigLIP gives\n" +
			"each label of a picture a probability of its own instead.\n" + typedNote,
		setup: func(f *flags) action {
			var r texts.ClassifyRequest
			f.withModel()
			f.withWeights(&r.Weights)
			f.Func("labels", "choose among these labels, `A,B,C`, by a model that makes vectors", func(list string) error {
				r.Labels = append(r.Labels, strings.Split(list, ",")...)
				return nil
			})
			f.StringVar(&r.Sentence, "sentence", "", "make a `SENTENCE` of each label, with {} in its place; without it, \""+texts.TextSentence+"\" and, for pictures, \""+texts.PictureSentence+"\"")
			var pictures []string
			f.Func("image", "label the picture `FILE` (PNG or JPEG) instead of texts, by a model such as CLIP; may be given several times", func(path string) error {
				pictures = append(pictures, path)
				return nil
			})
			f.require(func(args []string) error {
				switch {
				case r.Sentence != "" && r.Labels == nil:
					return errors.New("--sentence says how labels are read, and there are none; give --labels")
				case len(pictures) > 0 && r.Labels == nil:
					return errors.New("--image needs labels to choose from; give --labels")
				case len(pictures) > 0 && len(args) > 0:
					return errors.New("--image goes without texts; give pictures alone")
				}
				r.Texts, r.Pictures = pictures, pictures
				return nil
			})
			return func(ctx context.Context, c *call) error {
				r.Model, r.Device = f.model, f.device
				return classify(ctx, c, r)
			}
		},
	}
}

type classifiedJSON struct {
	Index     int           `json:"index"`
	Labels    []labelJSON   `json:"labels,omitempty"`
	Entities  *[]entityJSON `json:"entities,omitempty"` // a list, also an empty one, of a model that marks them
	Words     [][]labelJSON `json:"words,omitempty"`    // of each gap
	Kind      string        `json:"kind"`
	Tokens    int           `json:"tokens"`
	Truncated bool          `json:"truncated"`
}

type labelJSON struct {
	Label string  `json:"label"`
	Score float32 `json:"score"`

	Cosine *float32 `json:"cosine,omitempty"` // with the sentence of a person's own label
}

type entityJSON struct {
	labelJSON
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

func classify(ctx context.Context, c *call, r texts.ClassifyRequest) (err error) {
	if len(r.Pictures) == 0 {
		if r.Texts, err = c.texts(); err != nil {
			return err
		}
	}
	got, err := c.Classify(ctx, r, c.progress)
	if err != nil {
		return err
	}
	c.noteFallbacks(got.Fallbacks, got.Notices)
	c.note(got.Notes...)
	if !c.json {
		for i, text := range r.Texts {
			c.printf("%s\n", plain.Line(text, 90))
			printClasses(c, got, text, i)
		}
		return nil
	}
	results := []classifiedJSON{}
	for i, text := range r.Texts {
		row := classifiedJSON{Index: i, Kind: got.Kind, Tokens: got.Tokens[i], Truncated: got.Truncated[i]}
		if got.Labels != nil {
			row.Labels = labelsJSON(got.Labels[i])
		}
		if got.Cosines != nil {
			for k := range row.Labels {
				row.Labels[k].Cosine = &got.Cosines[i][k]
			}
		}
		if got.Entities != nil {
			list := []entityJSON{}
			for _, e := range got.Entities[i] {
				list = append(list, entityJSON{labelJSON{Label: e.Label, Score: e.Score}, e.Start, e.End, text[e.Start:e.End]})
			}
			row.Entities = &list
		}
		if got.Words != nil {
			for _, gap := range got.Words[i] {
				row.Words = append(row.Words, labelsJSON(gap))
			}
		}
		results = append(results, row)
	}
	return c.printJSON(results)
}

func labelsJSON(all []texts.Label) (list []labelJSON) {
	for _, l := range all {
		list = append(list, labelJSON{Label: l.Name, Score: l.Value})
	}
	return list
}

// printClasses prints what was found in text i.
func printClasses(c *call, got texts.ClassifyResult, text string, i int) {
	switch {
	case got.Entities != nil:
		for _, e := range got.Entities[i] {
			c.printf("%9.4f  %-12s  %5d–%-5d  %s\n", e.Score, plain.Line(e.Label, 60), e.Start, e.End, plain.Line(text[e.Start:e.End], 60))
		}
	case got.Words != nil:
		for n, gap := range got.Words[i] {
			if n > 0 {
				c.printf("\n")
			}
			printLabels(c, gap)
		}
	default:
		printLabels(c, got.Labels[i])
	}
}

func printLabels(c *call, all []texts.Label) {
	for _, l := range all {
		c.printf("%9.4f  %s\n", l.Value, plain.Line(l.Name, 60))
	}
}
