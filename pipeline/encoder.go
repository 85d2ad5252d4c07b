package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/memory"
	"inglenook/pipeline/placement"
	"inglenook/tokenizer"
)

// defaultBatchTokens bounds the tokens of one forward pass on devices that do not ask for
// more. Passes of this size keep the CPU's matrix kernels busy and their activations in the
// cache.
const defaultBatchTokens = 1024

// encoder is an open checkpoint: config, weights, tokenizer and the one graph
// that its passes are recorded into. Passes run one after the other.
type encoder struct {
	source
	model  models.Model
	tok    *tokenizer.Tokenizer
	budget int            // tokens a pass
	reader *models.Reader // of a language model, which reads one text a pass; else nil

	lock  engine.Lock // guards what follows
	graph *engine.Graph
	on    *placement.List
	peak  float32 // the largest magnitude of a result so far
	proof placement.Proof

	parameters, weightBytes int64
	dtype                   string
}

// openEncoder opens config and weights of a checkpoint.
func openEncoder(checkpoint fs.FS, o EmbedderOptions, on *placement.List) (*encoder, error) {
	quantize, err := weightType(o.Weights)
	if err != nil {
		return nil, err
	}
	s, err := openSourceFor(checkpoint, o.WeightsFile, quantize, o.Task)
	if err != nil {
		return nil, err
	}
	return newEncoder(s, on, o.BatchTokens)
}

// newEncoder takes over an open checkpoint.
func newEncoder(s source, on *placement.List, batchTokens int) (*encoder, error) {
	e := &encoder{
		source: s, budget: batchTokens,
		lock: engine.NewLock(), graph: engine.NewGraph(), on: on,
	}
	e.graph.Rounds = true // vectors and scores are compared, not continued
	e.parameters, e.weightBytes, e.dtype = measure(s.set)
	if err := e.build(); err != nil {
		return nil, errors.Join(err, e.close())
	}
	e.config = e.model.Config()
	return e, nil
}

// passTokens bounds the tokens of a pass on the devices that run the model now.
func (e *encoder) passTokens() int {
	if e.budget > 0 {
		return e.budget
	}
	return engine.BatchRows(e.on.Backends, defaultBatchTokens)
}

// build makes the model: an encoder, or a language model that reads.
func (e *encoder) build() (err error) {
	if e.pictures {
		e.model, err = models.LoadPictures(e.config, e.set)
		return err
	}
	if !e.config.Causal {
		e.model, err = models.Load(e.config, e.set)
		return err
	}
	if e.config.TextToText {
		return errTextToText(e.config)
	}
	decoder, err := models.LoadDecoder(e.config, e.set)
	if err != nil {
		return err
	}
	e.reader = models.NewReader(decoder)
	e.model = e.reader
	return nil
}

// openTokenizer opens the checkpoint's tokenizer, which may have to make texts
// lower-case.
func (e *encoder) openTokenizer(lowercase bool) (err error) {
	if e.pictures {
		return errPicturesOnly(e.config)
	}
	if lowercase && e.set.Meta() == nil {
		e.tok, err = tokenizer.OpenLowercase(e.folder)
		return err
	}
	e.tok, err = e.words().Tokenizer() // a GGUF file itself says whether it is lower-case
	return err
}

func (e *encoder) close() error {
	var errs []error
	if e.tok != nil {
		errs = append(errs, e.tok.Close())
	}
	if e.reader != nil {
		errs = append(errs, e.reader.Close())
	}
	return errors.Join(append(errs, e.graph.Close(), e.set.Close())...)
}

// record records a pass. If a device has left the list, all weights are
// released. The devices that are left prepare them again, if they fit.
func (e *encoder) record(b models.Batch, record recorder) (*engine.Tensor, error) {
	moved := e.on.Moved()
	if moved {
		_ = e.graph.Close() // a device that is lost may not even free memory
	}
	e.graph.Reset()
	out := e.graph.Want(record(e.graph, b))
	if !moved {
		return out, nil
	}
	placement.ReleaseWeights(e.graph)
	if err := e.on.Divide(e.graph, 1); err != nil {
		return out, err
	}
	return out, e.on.Arrived(func(available int64) error { return memory.WeightsFit(e.weightBytes, available) })
}

// recorder records one pass over a batch; its result has one row a text, or
// one a token.
type recorder func(g *engine.Graph, b models.Batch) *engine.Tensor

// pass runs one batch and returns the result's rows; see finite.
func (e *encoder) pass(ctx context.Context, b models.Batch, record recorder, o *placement.Outcome) (rows [][]float32, err error) {
	if err := e.lock.LockContext(ctx); err != nil {
		return nil, err
	}
	defer e.lock.Unlock()
	err = e.on.Somewhere(func() error {
		out, err := e.record(b, record)
		if err != nil {
			return err
		}
		report, err := e.graph.Run(ctx, e.on.Backends...)
		if err != nil {
			return err
		}
		data, err := e.graph.Result(out)
		if err != nil {
			return err
		}
		if err := e.on.Doubt(data, out.Cols, &e.peak); err != nil {
			return err
		}
		e.on.Settle(data, out.Cols, e.peak)
		o.Add(report, e.graph.Ops())
		rows = make([][]float32, out.Rows)
		for i := range rows {
			rows[i] = data[i*out.Cols : (i+1)*out.Cols : (i+1)*out.Cols]
		}
		return nil
	})
	return rows, err
}

// notices are sentences about what happened since the last call.
func (e *encoder) notices() []string {
	e.lock.Lock()
	defer e.lock.Unlock()
	return e.on.Notices()
}

// tellLater keeps sentences for the next call of notices.
func (e *encoder) tellLater(sentences []string) {
	e.lock.Lock()
	defer e.lock.Unlock()
	for _, s := range sentences {
		e.on.Tell("%s", s)
	}
}

// batches runs every encoding and hands each text's result row to take, in any
// order.
func (e *encoder) batches(ctx context.Context, encs []tokenizer.Encoding, record recorder, take func(text int, row []float32) error) (placement.Outcome, error) {
	return e.groups(ctx, encs, make([][]int32, len(encs)), record, func(i int, rows [][]float32) error { return take(i, rows[0]) })
}

// groups is batches for results with a row for each wanted token of a text, or one for the
// text where wanted has nil. Texts are sorted by length so that a pass holds similar ones, and
// no pass is longer than the budget unless a single text is.
func (e *encoder) groups(ctx context.Context, encs []tokenizer.Encoding, wanted [][]int32, record recorder, take func(text int, rows [][]float32) error) (placement.Outcome, error) {
	var o placement.Outcome
	order := make([]int, len(encs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(encs[b].IDs) - len(encs[a].IDs) })
	for len(order) > 0 {
		n, tokens := 0, 0
		for n < len(order) && (n == 0 || e.reader == nil && tokens+len(encs[order[n]].IDs) <= e.passTokens()) {
			tokens += len(encs[order[n]].IDs)
			n++
		}
		rows, err := e.pass(ctx, join(encs, wanted, order[:n]), record, &o)
		if err != nil {
			return o, err
		}
		for _, text := range order[:n] {
			of := max(1, len(wanted[text]))
			if !slices.ContainsFunc(rows[:of], func(row []float32) bool { return !placement.Finite(row) }) {
				err = take(text, rows[:of])
			} else {
				err = notFinite(fmt.Sprintf(" for text %d", text+1))
			}
			if err != nil {
				return o, err
			}
			rows = rows[of:]
		}
		order = order[n:]
	}
	o.Notices = e.notices()
	return o, nil
}

// join puts the chosen encodings end to end.
func join(encs []tokenizer.Encoding, wanted [][]int32, chosen []int) models.Batch {
	b := models.Batch{Starts: []int32{0}}
	for _, i := range chosen {
		for _, at := range wanted[i] {
			b.Wanted = append(b.Wanted, int32(len(b.Tokens))+at)
		}
		b.Tokens = append(b.Tokens, encs[i].IDs...)
		b.Types = append(b.Types, encs[i].Types...)
		b.Starts = append(b.Starts, int32(len(b.Tokens)))
	}
	return b
}

// padded fills texts up with padding for models that were trained with texts of one length.
func (e *encoder) padded(encs []tokenizer.Encoding) []tokenizer.Encoding {
	if e.config.PadTo == 0 {
		return encs
	}
	pad := e.tok.PadID()
	if pad < 0 {
		pad = int32(e.config.PadID)
	}
	full := slices.Clone(encs)
	for i, enc := range full {
		missing := max(0, e.config.PadTo-len(enc.IDs))
		ids, types := slices.Repeat([]int32{pad}, missing), make([]int32, missing)
		if e.tok.PadsLeft() {
			full[i].IDs, full[i].Types = slices.Concat(ids, enc.IDs), slices.Concat(types, enc.Types)
		} else {
			full[i].IDs, full[i].Types = slices.Concat(enc.IDs, ids), slices.Concat(enc.Types, types)
		}
	}
	return full
}

// errNotFinite is said instead of showing NaN or an infinity.
var errNotFinite = errors.New("its weights may be damaged (get the checkpoint again) or overflow in their number type")

// notFinite is errNotFinite with the place.
func notFinite(where string) error {
	return fmt.Errorf("the model gave a number that is not finite%s; %w", where, errNotFinite)
}

// errNoTexts refuses an empty list.
var errNoTexts = errors.New("there is no text; give at least one")

// textNotes returns notes on unusual texts: empty ones, or bytes that are not UTF-8. Both
// have a defined result and are no errors.
func textNotes(texts []string) []string {
	var empty, broken []int
	for i, t := range texts {
		switch {
		case IsBlank(t):
			empty = append(empty, i+1)
		case !utf8.ValidString(t):
			broken = append(broken, i+1)
		}
	}
	var notes []string
	switch len(empty) {
	case 0:
	case 1:
		notes = append(notes, fmt.Sprintf("text %d is empty: its result comes from the model's special tokens alone and means nothing", empty[0]))
	default:
		notes = append(notes, textsNamed(empty)+" are empty: their results come from the model's special tokens alone and mean nothing")
	}
	switch len(broken) {
	case 0:
	case 1:
		notes = append(notes, fmt.Sprintf("text %d is not valid UTF-8: its broken bytes were read as \uFFFD", broken[0]))
	default:
		notes = append(notes, textsNamed(broken)+" are not valid UTF-8: their broken bytes were read as \uFFFD")
	}
	return notes
}

// IsBlank reports whether a text has nothing that can be seen: it is empty, or all white
// space, control characters and the like.
func IsBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

// textsNamed names texts by their numbers, the first three of many.
func textsNamed(numbers []int) string {
	const named = 3
	words := make([]string, 0, named)
	for _, n := range numbers[:min(named, len(numbers))] {
		words = append(words, strconv.Itoa(n))
	}
	if more := len(numbers) - named; more > 0 {
		return fmt.Sprintf("texts %s and %d more", strings.Join(words, ", "), more)
	}
	last := len(words) - 1
	return fmt.Sprintf("texts %s and %s", strings.Join(words[:last], ", "), words[last])
}

// longest is the smallest of the limits that are given (0 = not given).
func longest(limits ...int) int {
	m := 0
	for _, l := range limits {
		if l > 0 && (m == 0 || l < m) {
			m = l
		}
	}
	return m
}
