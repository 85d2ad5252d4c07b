package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/labels"
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

// Classifier gives texts labels, marks entities in them, or guesses the words of their gaps.
type Classifier struct {
	enc       *encoder
	names     []string // of the labels
	kind      string   // of Classes
	out       models.Output
	maxLength int    // tokens of a text
	gap       string // the token that stands for a gap
}

// What a classifier gives, and what the numbers of labels are.
const (
	Softmax  = labels.Softmax
	Sigmoid  = labels.Sigmoid
	Values   = labels.Values
	Entities = "entities" // parts of texts with labels
	Words    = "words"    // words for the gaps of texts
)

type (
	Label  = labels.Label
	Entity = labels.Entity
)

// Classes are the labels of texts.
type Classes struct {
	Labels    [][]Label   // of each text, the largest first; of the kinds Softmax, Sigmoid and Values
	Entities  [][]Entity  // of each text, in its order
	Words     [][][]Label // of each gap of each text, the most probable first
	Kind      string
	Tokens    []int  // of each text, special tokens included
	Truncated []bool // longer than the model reads and cut there
	Notes     []string
	Took      time.Duration
	Device    string
	Fallbacks []engine.Fallback
	Notices   []string // as in Embeddings
	Profile   placement.Profile
}

// OpenClassifier opens a checkpoint that has a head for labels of texts or of their tokens, or
// one for words.
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
	if c.out, err = s.labelled(); err != nil {
		return err
	}
	if c.out == models.Words {
		c.kind = Words
		return nil
	}
	if c.names, err = s.labels(); err != nil {
		return err
	}
	for i, name := range c.names {
		if name == "" {
			c.names[i] = fmt.Sprintf("LABEL_%d", i)
		}
	}
	if c.out == models.Marks {
		c.kind = Entities
		return nil
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

// labelled returns the output of which a classifier makes its results.
func (s source) labelled() (models.Output, error) {
	c := s.config
	switch {
	case c.Causal, !c.Guesses() && c.Head != models.Logits && c.Head != models.Marks:
		return 0, errNoLabels(c)
	case !c.Guesses():
		return c.Head, nil
	}
	m, err := models.Load(c, s.set)
	if err == nil && !m.Has(models.Words) {
		err = fmt.Errorf("%s is stored without the head that guesses words, so it cannot fill gaps; get the whole model, or choose another", c.Architecture)
	}
	return models.Words, err
}

// errNoLabels refuses to classify with a model that is made for something else.
func errNoLabels(c models.Config) error {
	if c.OtherHead != "" {
		return fmt.Errorf("the head of %s is not supported, so it cannot classify; choose a classifier (…ForSequenceClassification), a model that marks entities (…ForTokenClassification), or one that fills gaps (…ForMaskedLM)", c.OtherHead)
	}
	return fmt.Errorf("%s has no head for labels or words, so it cannot classify; choose a classifier (…ForSequenceClassification), a model that marks entities (…ForTokenClassification), or one that fills gaps (…ForMaskedLM)", c.Architecture)
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
	if c.kind == Words {
		gap, ok := c.enc.tok.Token(c.enc.tok.MaskID())
		if c.gap = gap; !ok {
			return fmt.Errorf("the tokenizer of %s has no word for a gap, such as [MASK], so it cannot fill gaps; choose another model", c.enc.config.Architecture)
		}
	}
	c.maxLength = longest(c.enc.config.MaxTokens, c.enc.tok.ModelMaxLength())
	return c.enc.load(ctx, c.record, o.Progress, o.Prove)
}

// record records a pass. The words of a whole vocabulary take much room: unless a batch says
// of which tokens, they are those of each text's first.
func (c *Classifier) record(g *engine.Graph, b models.Batch) *engine.Tensor {
	if c.out == models.Words && b.Wanted == nil {
		b.Wanted = b.Starts[:len(b.Starts)-1]
	}
	return c.enc.model.Forward(g, b, c.out)
}

// MaxLength is how many tokens of a text the model reads.
func (c *Classifier) MaxLength() int { return c.maxLength }

// Gap is how the model writes a gap, "" if it fills none.
func (c *Classifier) Gap() string { return c.gap }

// Classify returns the labels of texts, in their order.
func (c *Classifier) Classify(ctx context.Context, texts []string, progress func(done, total int)) (Classes, error) {
	start := time.Now()
	if len(texts) == 0 {
		return Classes{}, errNoTexts
	}
	n := len(texts)
	out := Classes{Kind: c.kind, Tokens: make([]int, n), Truncated: make([]bool, n), Notes: textNotes(texts)}
	texts, err := c.withGaps(texts)
	if err != nil {
		return Classes{}, err
	}
	encs, err := c.enc.tok.EncodeBatch(ctx, texts, readTyped(tokenizer.Options{MaxLength: c.maxLength, Attributes: c.kind == Entities}))
	if err != nil {
		return Classes{}, err
	}
	wanted := c.wanted(encs)
	without, notes, err := c.withoutGaps(encs, wanted)
	if err != nil {
		return Classes{}, err
	}
	out.Notes = append(out.Notes, notes...)
	switch c.kind {
	case Entities:
		out.Entities = make([][]Entity, n)
	case Words:
		out.Words = make([][][]Label, n)
	default:
		out.Labels = make([][]Label, n)
	}
	done := 0
	ran, err := c.enc.groups(ctx, encs, wanted, c.record, func(i int, rows [][]float32) error {
		out.Tokens[i], out.Truncated[i] = len(encs[i].IDs), encs[i].Truncated
		switch c.kind {
		case Entities:
			out.Entities[i] = c.entities(texts[i], encs[i], wanted[i], rows)
		case Words:
			if without[i] {
				break
			}
			words, err := c.words(rows)
			if err != nil {
				return err
			}
			out.Words[i] = words
		default:
			out.Labels[i] = labels.Of(rows[0], c.names, c.kind)
		}
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

// guesses is how many words a gap gets.
const guesses = 5

// withGaps returns the texts with the model's word for a gap in the place of each gap. One of them has
// a gap at least, if the model fills gaps.
func (c *Classifier) withGaps(texts []string) ([]string, error) {
	if c.kind != Words {
		return texts, nil
	}
	all, found := slices.Clone(texts), 0
	for i, text := range texts {
		n := 0
		all[i], n = labels.Gaps(text, c.gap)
		found += n
	}
	switch {
	case found > 0:
		return all, nil
	case len(texts) == 1:
		return nil, fmt.Errorf("text 1 has no gap to fill; write ___ or %s where a word is missing", c.gap)
	}
	return nil, fmt.Errorf("none of the texts has a gap to fill; write ___ or %s where a word is missing", c.gap)
}

// wanted returns of which tokens of each text the results are made, nil for a result of the
// whole text, or where a text has no gap.
func (c *Classifier) wanted(encs []tokenizer.Encoding) [][]int32 {
	all := make([][]int32, len(encs))
	for i, e := range encs {
		switch c.kind {
		case Entities:
			for k := range e.IDs { // also control tokens, so that a text of nothing else has a row
				all[i] = append(all[i], int32(k))
			}
		case Words:
			mask := c.enc.tok.MaskID()
			for k, id := range e.IDs {
				if id == mask {
					all[i] = append(all[i], int32(k))
				}
			}
		}
	}
	return all
}

// withoutGaps reports which texts have no gap where the model fills gaps: their words mean nothing. Notes
// say which these are and why.
func (c *Classifier) withoutGaps(encs []tokenizer.Encoding, wanted [][]int32) (without []bool, notes []string, _ error) {
	if c.kind != Words {
		return nil, nil, nil
	}
	without = make([]bool, len(encs))
	var none, cut []int
	for i, e := range encs {
		if wanted[i] != nil {
			continue
		}
		without[i], wanted[i] = true, []int32{0} // a pass gives a row for each text
		if e.Truncated {
			cut = append(cut, i+1)
		} else {
			none = append(none, i+1)
		}
	}
	beyond := fmt.Sprintf("no gap within the %d tokens that this model reads", c.maxLength)
	switch {
	case len(none)+len(cut) < len(encs):
	case len(encs) == 1:
		return nil, nil, fmt.Errorf("text 1 has %s; shorten the text before its gap", beyond)
	default:
		return nil, nil, fmt.Errorf("the texts have %s; shorten them before their gaps", beyond)
	}
	for _, left := range []struct {
		texts []int
		why   string
	}{{none, "no gap; write ___ where a word is missing"}, {cut, beyond}} {
		switch len(left.texts) {
		case 0:
		case 1:
			notes = append(notes, fmt.Sprintf("text %d was left out: it has %s", left.texts[0], left.why))
		default:
			notes = append(notes, textsNamed(left.texts)+" were left out: they have "+left.why)
		}
	}
	return without, notes, nil
}

// entities returns the entities of a text, of whose tokens rows has the scores.
func (c *Classifier) entities(text string, e tokenizer.Encoding, wanted []int32, rows [][]float32) []Entity {
	var tokens []labels.Token
	for i, at := range wanted {
		if !e.Special[at] {
			tokens = append(tokens, labels.Token{Start: e.Offsets[at][0], End: e.Offsets[at][1], Scores: labels.Numbers(rows[i], Softmax)})
		}
	}
	return labels.Entities(text, tokens, c.names)
}

// words returns the most probable words of each gap.
func (c *Classifier) words(rows [][]float32) ([][]Label, error) {
	var all [][]Label
	for _, row := range rows {
		p := labels.Numbers(row, Softmax)
		var gap []Label
		for _, id := range labels.Likeliest(row, guesses) {
			word, err := c.enc.tok.Decode([]int32{int32(id)}, false)
			if err != nil { // a row of the table that the tokenizer has no token for
				word = fmt.Sprintf("#%d", id)
			}
			gap = append(gap, Label{Name: strings.TrimSpace(word), Value: float32(p[id])})
		}
		all = append(all, gap)
	}
	return all, nil
}

// Close frees the weights and the tokenizer.
func (c *Classifier) Close() error { return c.enc.close() }
