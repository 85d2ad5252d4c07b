package app

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"inglenook/engine"
	"inglenook/metalbackend/emulated"
)

// BenchRequest says what to measure: the same work on each device, repeated.
// A language model reads and writes, any other one embeds and scores; what does
// not fit the model is refused.
type BenchRequest struct {
	Model    string
	Devices  []string
	Texts    int         // embedded in one call; 0: none
	Pairs    int         // a query with this many documents in one call; 0: none
	Prompt   int         // tokens of a prompt that is read; 0: none
	Generate int         // tokens that are written; 0: none
	Depth    int         // tokens that the context holds before
	Norms    bool        // LayerNorm and RMSNorm alone, by the number of rows
	Held     ChatOptions // how a language model is held, without Model and Device
	Repeat   int
}

// work is how much there is to do, all kinds together.
func (r BenchRequest) work() int { return r.Texts + r.Pairs + r.Prompt + r.Generate }

// BenchResult holds one line for each device and kind of work.
type BenchResult struct {
	Model string
	// Agreement is the smallest cosine between two runs' results for the same
	// text (or, for pairs, between the lists of scores), over all devices and
	// repetitions: 1 means that they agree.
	Agreement float64
	Results   []BenchLine
	Notes     []string // sentences about what is missing
}

// BenchLine is what one kind of work came to on one device.
type BenchLine struct {
	Device  string
	Work    string  // "embed", "rerank", "prompt", "generate"; "layer_norm", "rms_norm"
	Context int     // tokens of the longest text, or in the context at the end; rows of a norm
	Median  float64 // over the repetitions, as the two below
	P10     float64
	P90     float64
	Unit    string // "texts/s", "pairs/s" or "tokens/s"; "µs" of a norm, where less is better
	// BandwidthBytesPerS counts the weights that operations read, as large as
	// they are in the file, and the keys and values of a cache.
	BandwidthBytesPerS float64
	// FlopsPerS counts the multiplications and additions of the linear layers
	// and of attention.
	FlopsPerS       float64
	PeakMemoryBytes int64    // of the whole process so far
	Ops             []OpTime // of the last repetition
	Predicted       float64  // what Median was foreseen to be; 0: nothing was foreseen

	asked   string // the device
	lengths []int  // tokens of the texts
}

// benchQuery is what the documents of a bench are scored against.
const benchQuery = "when does the morning train leave for the coast"

const (
	benchMinimum = 6   // words in the shortest text
	benchLongest = 100 // words in the longest one: about 128 tokens
	maxBench     = 100_000

	defaultBenchTexts = 256 // where a request does not say what to measure
)

// Bench measures embedding and reranking on texts of its own making, which are
// the same every time: 6 to 100 everyday words each.
func (a *App) Bench(ctx context.Context, r BenchRequest, report func(Progress)) (BenchResult, error) {
	ctx, done, err := a.begin(ctx)
	if err != nil {
		return BenchResult{}, err
	}
	defer done()
	if r.Repeat < 1 || min(r.Texts, r.Pairs, r.Prompt, r.Generate, r.Depth) < 0 || max(r.Repeat, r.Texts, r.Pairs, r.Prompt, r.Generate, r.Depth) > maxBench {
		return BenchResult{}, fmt.Errorf("there is nothing to measure; give a number of texts, pairs or tokens and of repetitions from 1 to %d", maxBench)
	}
	e, err := a.usable(ctx, r.Model)
	if err != nil {
		return BenchResult{}, err
	}
	result := BenchResult{Model: e.ID, Agreement: 1}
	if !r.Norms || r.work() > 0 {
		if result, err = a.benchModel(ctx, e, r, report); err != nil {
			return BenchResult{}, err
		}
	}
	if r.Norms {
		err = a.benchNorms(ctx, e, r.Devices, &result)
	}
	if slices.Contains(r.Devices, emulated.ID) {
		result.Notes = append(result.Notes, emulated.ID+" is for checking, not for speed")
	}
	return result, err
}

func (a *App) benchModel(ctx context.Context, e entry, r BenchRequest, report func(Progress)) (BenchResult, error) {
	if e.Writes() {
		return a.benchWriting(ctx, e, r, report)
	}
	if r.work() == 0 {
		r.Texts = defaultBenchTexts
	}
	if r.Prompt+r.Generate+r.Depth > 0 || r.Held != (ChatOptions{Weights: r.Held.Weights}) {
		return BenchResult{}, fmt.Errorf("%s does not write text, so there are no prompt or generated tokens to measure and no context; give a number of texts or pairs alone", e.Name)
	}
	result := BenchResult{Model: e.ID, Agreement: 1}
	for _, work := range []benchWork{{"embed", "texts/s", r.Texts, a.benchEmbed}, {"rerank", "pairs/s", r.Pairs, a.benchRerank}} {
		if work.count == 0 {
			continue
		}
		texts := benchTexts(work.count)
		var judge [][]float32
		for _, device := range r.Devices {
			line, err := work.measure(ctx, e, Place{Device: device, Weights: r.Held.Weights}, texts, r.Repeat, func(got [][]float32) {
				if judge == nil {
					judge = got
				}
				result.Agreement = min(result.Agreement, agreement(judge, got))
			})
			if err != nil {
				return BenchResult{}, inContext(ctx, err)
			}
			line.asked = device
			result.Results = append(result.Results, line)
		}
	}
	return result, a.foretell(ctx, e, r, result.Results)
}

type benchWork struct {
	name  string
	unit  string
	count int
	once  func(ctx context.Context, e entry, in Place, texts []string) (benchRun, error)
}

// benchRun is one repetition.
type benchRun struct {
	values [][]float32
	tokens []int
	device string
	took   time.Duration
	work   Profile
	ranWith
}

// ranWith is what happened on the way to a result.
type ranWith struct {
	fallbacks []engine.Fallback
	notices   []string
}

func (w benchWork) measure(ctx context.Context, e entry, in Place, texts []string, repeat int, take func([][]float32)) (BenchLine, error) {
	if _, err := w.once(ctx, e, in, texts[:min(len(texts), 8)]); err != nil { // warm up
		return BenchLine{}, err
	}
	var seconds []float64
	var last benchRun
	for range repeat {
		run, err := w.once(ctx, e, in, texts)
		if err != nil {
			return BenchLine{}, err
		}
		take(run.values)
		seconds = append(seconds, max(run.took.Seconds(), 1e-9))
		last = run
	}
	if in.Device != "cpu" { // whose operations are timed in any case
		timed, err := w.once(engine.Timed(ctx), e, in, texts)
		if err != nil {
			return BenchLine{}, err
		}
		last.work.Ops = timed.work.Ops
	}
	slices.Sort(seconds)
	middle := quantile(seconds, 0.5)
	return BenchLine{
		Device: last.device, Work: w.name, Unit: w.unit, Context: slices.Max(last.tokens),
		Median: float64(len(texts)) / middle,
		P10:    float64(len(texts)) / quantile(seconds, 0.9),
		P90:    float64(len(texts)) / quantile(seconds, 0.1),

		BandwidthBytesPerS: float64(last.work.Bytes) / middle,
		FlopsPerS:          float64(last.work.Flops) / middle,
		PeakMemoryBytes:    peakMemory(),
		Ops:                last.work.Ops,
		lengths:            last.tokens,
	}, nil
}

func (a *App) benchEmbed(ctx context.Context, e entry, in Place, texts []string) (benchRun, error) {
	got, err := a.Embed(ctx, EmbedRequest{Model: e.ID, Device: in.wish(), Weights: in.Weights, Texts: texts}, nil)
	return benchRun{got.Vectors, got.Tokens, got.Device, got.Took, got.Profile, ranWith{got.Fallbacks, got.Notices}}, err
}

func (a *App) benchRerank(ctx context.Context, e entry, in Place, texts []string) (benchRun, error) {
	got, err := a.Rerank(ctx, RerankRequest{Model: e.ID, Device: in.wish(), Weights: in.Weights, Query: benchQuery, Texts: texts}, nil)
	if err != nil {
		return benchRun{}, err
	}
	scores := make([]float32, len(texts))
	for _, r := range got.Ranking {
		scores[r.Index] = r.Score
	}
	return benchRun{[][]float32{scores}, got.TokensEach, got.Device, got.Took, got.Profile, ranWith{got.Fallbacks, got.Notices}}, nil
}

// benchTexts makes n texts of the words of the sample sentences.
func benchTexts(n int) []string {
	words := strings.Fields(strings.ToLower(strings.Join(SampleTexts(), " ")))
	random := rand.New(rand.NewPCG(1, 2))
	texts := make([]string, n)
	for i := range texts {
		length := benchMinimum + random.IntN(benchLongest-benchMinimum+1)
		text := make([]string, length)
		for k := range text {
			text[k] = words[random.IntN(len(words))]
		}
		texts[i] = strings.Join(text, " ")
	}
	return texts
}

// agreement is the smallest cosine between two lists of vectors.
func agreement(a, b [][]float32) float64 {
	worst := 1.0
	for i := range a {
		length := math.Sqrt(dot(a[i], a[i]) * dot(b[i], b[i]))
		if length > 0 {
			worst = min(worst, dot(a[i], b[i])/length)
		}
	}
	return worst
}

// quantile of a sorted list by linear interpolation.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

// peakMemory is the most memory that the process has had resident.
func peakMemory() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss * 1024
}
