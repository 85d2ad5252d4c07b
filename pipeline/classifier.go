package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"time"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/placement"
	"inglenook/pipeline/smallfile"
	"inglenook/tokenizer"
)

// ClassifierOptions change how a checkpoint is opened; the zero value changes nothing.
type ClassifierOptions struct {
	WeightsFile string
	Weights     string       // how weights are held, as in GeneratorOptions
	Available   func() int64 // as in EmbedderOptions
	Prove       bool         // as in GeneratorOptions
	Progress    func(done, total int64)
}

// Classifier gives texts labels.
type Classifier struct {
	enc       *encoder
	names     []string // of the labels
	kind      string   // Softmax, Sigmoid or Values
	maxLength int      // tokens of a text
}

// What the numbers of labels are.
const (
	Softmax = "softmax" // probabilities of which one label has the rest of the others
	Sigmoid = "sigmoid" // probabilities that do not depend on each other
	Values  = "values"  // no probabilities, but what the model was trained to predict
)

// Label is a label with its number.
type Label struct {
	Name  string
	Value float32
}

// Classes are the labels of texts.
type Classes struct {
	Labels    [][]Label // of each text, the largest first
	Kind      string    // Softmax, Sigmoid or Values
	Tokens    []int     // of each text, special tokens included
	Truncated []bool    // longer than the model reads and cut there
	Notes     []string
	Took      time.Duration
	Device    string
	Fallbacks []engine.Fallback
	Notices   []string // as in Embeddings
	Profile   placement.Profile
}

// OpenClassifier opens a checkpoint that has a head for labels of whole texts.
func OpenClassifier(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o ClassifierOptions) (*Classifier, error) {
	quantize, err := weightType(o.Weights)
	if err != nil {
		return nil, err
	}
	s, err := openSource(checkpoint, o.WeightsFile, quantize)
	if err != nil {
		return nil, err
	}
	c := &Classifier{}
	if err := c.describe(s); err != nil {
		return nil, errors.Join(err, s.close())
	}
	if c.enc, err = newEncoder(s, placement.NewList(bs, o.Available), 0); err != nil {
		return nil, err
	}
	if err := c.open(ctx, o); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// describe reads the names of the labels and what their numbers are.
func (c *Classifier) describe(s source) (err error) {
	if s.config.Head != models.Logits || s.config.Causal {
		return fmt.Errorf("%s has no head for labels of texts, so it cannot classify; choose a classifier (…ForSequenceClassification)", s.config.Architecture)
	}
	if c.names, err = s.labels(); err != nil {
		return err
	}
	for i, name := range c.names {
		if name == "" {
			c.names[i] = fmt.Sprintf("LABEL_%d", i)
		}
	}
	var config struct {
		Problem string `json:"problem_type"`
	}
	if _, err := smallfile.JSON(s.folder, "config.json", &config); err != nil {
		return err
	}
	switch {
	case config.Problem == "regression":
		c.kind = Values
	case config.Problem == "multi_label_classification", len(c.names) == 1:
		c.kind = Sigmoid
	default:
		c.kind = Softmax
	}
	return nil
}

// labels returns the names of the labels, "" where the checkpoint has none.
func (s source) labels() ([]string, error) {
	names := make([]string, s.config.Labels)
	if meta := s.set.Meta(); meta != nil {
		key := s.config.ModelType + ".classifier.output_labels"
		if !meta.Has(key) {
			return names, nil
		}
		stated, err := meta.Strings(key)
		copy(names, stated)
		return names, err
	}
	var config struct {
		Names map[string]any `json:"id2label"`
	}
	if _, err := smallfile.JSON(s.folder, "config.json", &config); err != nil {
		return nil, err
	}
	for i := range names {
		names[i], _ = config.Names[strconv.Itoa(i)].(string)
	}
	return names, nil
}

func (c *Classifier) open(ctx context.Context, o ClassifierOptions) error {
	if err := c.enc.openTokenizer(false); err != nil {
		return err
	}
	c.maxLength = longest(c.enc.config.MaxTokens, c.enc.tok.ModelMaxLength())
	return c.enc.load(ctx, c.record, o.Progress, o.Prove)
}

func (c *Classifier) record(g *engine.Graph, b models.Batch) *engine.Tensor {
	return c.enc.model.Forward(g, b, models.Logits)
}

// Classify returns the labels of texts, in their order.
func (c *Classifier) Classify(ctx context.Context, texts []string, progress func(done, total int)) (Classes, error) {
	start := time.Now()
	if len(texts) == 0 {
		return Classes{}, errNoTexts
	}
	encs, err := c.enc.tok.EncodeBatch(ctx, texts, readTyped(tokenizer.Options{MaxLength: c.maxLength}))
	if err != nil {
		return Classes{}, err
	}
	n := len(texts)
	out := Classes{Labels: make([][]Label, n), Kind: c.kind, Tokens: make([]int, n), Truncated: make([]bool, n), Notes: textNotes(texts)}
	done := 0
	ran, err := c.enc.batches(ctx, encs, c.record, func(i int, row []float32) error {
		out.Labels[i], out.Tokens[i], out.Truncated[i] = c.labels(row), len(encs[i].IDs), encs[i].Truncated
		if done++; progress != nil {
			progress(done, n)
		}
		return nil
	})
	if err != nil {
		return Classes{}, err
	}
	out.Device, out.Fallbacks, out.Notices, out.Profile, out.Took = ran.Device(), ran.Fallbacks, ran.Notices, ran.Profile, time.Since(start)
	return out, nil
}

// labels turns the outputs of one text into its labels, the largest first.
func (c *Classifier) labels(row []float32) []Label {
	values := make([]float64, len(row))
	most, sum := float64(slices.Max(row)), 0.0
	for i, x := range row {
		switch c.kind {
		case Softmax:
			values[i] = math.Exp(float64(x) - most)
		case Sigmoid:
			values[i] = 1 / (1 + math.Exp(-float64(x)))
		default:
			values[i] = float64(x)
		}
		sum += values[i]
	}
	labels := make([]Label, len(row))
	for i, v := range values {
		if c.kind == Softmax {
			v /= sum
		}
		labels[i] = Label{c.names[i], float32(v)}
	}
	slices.SortStableFunc(labels, func(a, b Label) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		}
		return 0
	})
	return labels
}

// Close frees the weights and the tokenizer.
func (c *Classifier) Close() error { return c.enc.close() }
