package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"inglenook/app/usage"
	"inglenook/engine"
)

// Place is where a model does its work, and how.
type Place struct {
	Device  string `json:"device"`
	Threads int    `json:"threads,omitempty"` // of the CPU; 0: as the settings say
	Weights string `json:"weights,omitempty"` // as in ChatOptions
}

// wish is the place's device as requests name it.
func (p Place) wish() string {
	if p.Device == "cpu" && p.Threads > 0 {
		return fmt.Sprintf("cpu:%d", p.Threads)
	}
	return p.Device
}

// PerformanceRequest asks for the same work in several places.
type PerformanceRequest struct {
	Model    string
	Places   []Place // the first that works is what the others are held against
	Thorough bool    // more work and more repetitions
	Curve    bool    // also by the size of the context, or of the batch
	Norms    bool    // also LayerNorm and RMSNorm alone, by the number of rows
}

// Performance is what a model came to in several places.
type Performance struct {
	When     time.Time        `json:"when"`
	Version  string           `json:"version"`
	Machine  string           `json:"machine"` // its processor
	Model    string           `json:"model"`   // its id
	Name     string           `json:"name"`
	Kind     string           `json:"kind"`
	Thorough bool             `json:"thorough"`
	Rows     []PerformanceRow `json:"rows"`
}

// PerformanceRow is what the work came to in one place.
type PerformanceRow struct {
	Place
	Name     string    `json:"name"`             // of the device
	Emulated bool      `json:"emulated"`         // right or wrong as the device would be, and far slower
	Failed   string    `json:"failed,omitempty"` // one sentence: why the row ends here
	Measures []Measure `json:"measures"`
	// Agreement with the first row that worked: the smallest cosine of two
	// results for the same text, or the share of tokens up to the first that
	// differs. It means nothing where Compared is false.
	Agreement float64 `json:"agreement"`
	Compared  bool    `json:"compared"`
	// DeviceShare is the part of the operations' time that went by on this
	// device; the rest fell back to the CPU, for the reasons in Notes.
	DeviceShare float64  `json:"device_share"`
	Notes       []string `json:"notes,omitempty"`
	// Others is the part of this computer's processors that other programs took
	// meanwhile; -1: unknown.
	Others float64      `json:"others"`
	Curve  []CurvePoint `json:"curve,omitempty"`
	// MemoryBytesPerS is how fast the device reads weights that are in no cache,
	// in this measurement; 0: not measured.
	MemoryBytesPerS float64       `json:"memory_bytes_per_s,omitempty"`
	Memory          []MemoryPoint `json:"memory,omitempty"` // of a language model, by the size of its context
	Norms           []NormPoint   `json:"norms,omitempty"`

	outcome outcome
}

// Measure is how fast one kind of work went.
type Measure struct {
	Work      string  `json:"work"`   // one of the Work constants
	Amount    int     `json:"amount"` // texts, pairs or tokens of one repetition
	Unit      string  `json:"unit"`
	Median    float64 `json:"median"`
	P10       float64 `json:"p10"`
	P90       float64 `json:"p90"`
	Least     float64 `json:"least"` // of all repetitions
	Most      float64 `json:"most"`
	Repeats   int     `json:"repeats"`
	BytesPerS float64 `json:"bytes_per_s"` // of weights, keys and values
	FlopsPerS float64 `json:"flops_per_s"`
	// MemoryShare is BytesPerS as a part of what the device's memory gives; 0
	// where the limit is not memory, or is not known.
	MemoryShare float64         `json:"memory_share,omitempty"`
	Predicted   float64         `json:"predicted,omitempty"` // what Median was foreseen to be; 0: nothing was
	Ops         []PerformanceOp `json:"ops,omitempty"`
}

// PerformanceOp is the time that operations of one kind took.
type PerformanceOp struct {
	Op      string  `json:"op"`
	DType   string  `json:"dtype"` // of their weights
	Device  string  `json:"device"`
	Count   int     `json:"count"`
	Seconds float64 `json:"seconds"`
}

// CurvePoint is the speed at one size.
type CurvePoint struct {
	Size  int     `json:"size"`  // tokens in the context before, or texts in a call
	Value float64 `json:"value"` // tokens/s, or microseconds a text
}

// The kinds of work.
const (
	WorkEmbed    = "embed"
	WorkRerank   = "rerank"
	WorkPrompt   = "prompt"
	WorkFirst    = "first token"
	WorkGenerate = "generate"
	WorkNorms    = "norms" // no Measure has it
)

// unitMilliseconds is the unit of what is better the less it is.
const unitMilliseconds = "ms"

// unitOf is the unit of a kind of work.
func unitOf(work string) string {
	switch work {
	case WorkEmbed:
		return "texts/s"
	case WorkRerank:
		return "pairs/s"
	case WorkFirst:
		return unitMilliseconds
	}
	return "tokens/s"
}

// LessIsBetter reports whether a small value is the good one.
func (m Measure) LessIsBetter() bool { return m.Unit == unitMilliseconds }

// Range is between which values all repetitions lie; of a measurement that does not
// tell, the middle 80 % of them.
func (m Measure) Range() (least, most float64) {
	if m.Most > 0 {
		return m.Least, m.Most
	}
	return m.P10, m.P90
}

// Spread is half of the range as a part of the median.
func (m Measure) Spread() float64 {
	if m.Median == 0 {
		return 0
	}
	least, most := m.Range()
	return (most - least) / 2 / m.Median
}

// PredictionError is how far the prediction was off, as a part of what was measured;
// false: nothing was predicted.
func (m Measure) PredictionError() (float64, bool) {
	if m.Predicted <= 0 || m.Median <= 0 {
		return 0, false
	}
	return m.Predicted/m.Median - 1, true
}

// Measure returns the row's measure of a kind of work; false: there is none.
func (r PerformanceRow) Measure(work string) (Measure, bool) {
	i := slices.IndexFunc(r.Measures, func(m Measure) bool { return m.Work == work })
	if i < 0 {
		return Measure{}, false
	}
	return r.Measures[i], true
}

// StageMeasuring is the stage of Measure.
const StageMeasuring = "measuring"

// PerformanceStep says how far a measurement is.
type PerformanceStep struct {
	Progress
	Row  int              // what is being measured
	Work string           // which kind of work; empty: the model is being opened
	Rows []PerformanceRow // so far
}

// Measure lets a model do the same work in each place, one after the other. A
// place that fails ends its row with the reason; the others go on.
func (a *App) Measure(ctx context.Context, r PerformanceRequest, report func(PerformanceStep)) (Performance, error) {
	ctx, done, err := a.begin(ctx)
	if err != nil {
		return Performance{}, err
	}
	defer done()
	if len(r.Places) == 0 {
		return Performance{}, errors.New("there is no place to measure in; choose a device")
	}
	e, err := a.usable(ctx, r.Model)
	if err != nil {
		return Performance{}, err
	}
	work, err := workFor(e, r)
	if err != nil {
		return Performance{}, err
	}
	devices := a.Devices()
	p := Performance{
		When: time.Now().UTC().Truncate(time.Second), Version: Version().Version, Machine: devices[0].Name,
		Model: e.ID, Name: e.Name, Kind: e.Kind, Thorough: r.Thorough,
	}
	for _, place := range r.Places {
		row := PerformanceRow{Place: place, Name: place.Device, Emulated: strings.HasSuffix(place.Device, "-emulated")}
		if i := slices.IndexFunc(devices, func(d Device) bool { return d.ID == place.Device }); i >= 0 {
			row.Name = devices[i].Name
			if place.Device == "cpu" && place.Threads == 0 {
				row.Threads = devices[i].Threads
			}
		}
		p.Rows = append(p.Rows, row)
	}
	run := &measuring{performance: &p, report: report, perRow: work.steps(), start: time.Now()}
	if r.Norms {
		run.perRow += len(normRows())
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		run.begin(i)
		before := usage.Now()
		err := work.on(ctx, a, e, row, run)
		if err == nil && r.Norms && p.firstOn(i) {
			err = a.norms(ctx, e, row, run)
		}
		row.Others = othersSince(before)
		if err == nil {
			err = a.foretellRow(ctx, e, work, row)
		}
		if err != nil {
			if ctx.Err() != nil {
				return p, ctx.Err()
			}
			row.Failed = joinNotes([]string{err.Error()})
		}
		p.judge(row)
		a.log.Info("measured", "model", e.ID, "place", row.wish(), "weights", row.Weights, "failed", row.Failed)
	}
	run.end()
	return p, nil
}

// othersSince is what other programs took of the processors.
func othersSince(before usage.Reading) float64 {
	now := usage.Now()
	all, known := now.System(before)
	mine, also := now.Program(before)
	if !known || !also {
		return -1
	}
	return max(0, all-mine)
}

// firstOn reports whether no row before this one is on the same device with as many
// threads: what does not depend on the weights need not be done again.
func (p *Performance) firstOn(row int) bool {
	return !slices.ContainsFunc(p.Rows[:row], func(r PerformanceRow) bool { return r.wish() == p.Rows[row].wish() })
}

// judge holds a row against the first that worked.
func (p *Performance) judge(row *PerformanceRow) {
	if row.outcome.empty() {
		return
	}
	for i := range p.Rows {
		first := &p.Rows[i]
		if first == row {
			return // it is the first
		}
		if first.Failed == "" && !first.outcome.empty() {
			row.Agreement, row.Compared = first.outcome.agreement(row.outcome), true
			return
		}
	}
}

// outcome is what the work gave: vectors, scores or tokens.
type outcome struct {
	values [][]float32
	ids    []int32
}

func (o outcome) empty() bool { return len(o.values)+len(o.ids) == 0 }

func (o outcome) agreement(with outcome) float64 {
	if len(o.ids) > 0 {
		return sameStart(o.ids, with.ids)
	}
	return agreement(o.values, with.values)
}

// ranOn checks where the work was really done: a device that failed leaves it to
// the CPU, and its row must not show the CPU's speed.
func (r *PerformanceRow) ranOn(device string, notices []string) error {
	if device == r.Device {
		return nil
	}
	if len(notices) > 0 {
		return errors.New(strings.Join(notices, "; "))
	}
	return fmt.Errorf("the work went to %s instead", device)
}

// add takes in a measure with what its operations took.
func (r *PerformanceRow) add(m Measure, work Profile, fallbacks []engine.Fallback) {
	mine, total := 0.0, 0.0
	for _, o := range work.Ops {
		m.Ops = append(m.Ops, PerformanceOp{o.Op, o.DType, o.Device, o.Count, o.Took.Seconds()})
		total += o.Took.Seconds()
		if o.Device == r.Device {
			mine += o.Took.Seconds()
		}
	}
	if total > 0 {
		r.DeviceShare = mine / total
	}
	for _, f := range fallbacks {
		note := fmt.Sprintf("%s ran on %s: %s.", f.Op, f.RunsOn, strings.TrimSuffix(f.Reason, "."))
		if !slices.Contains(r.Notes, note) {
			r.Notes = append(r.Notes, note)
		}
	}
	r.Measures = append(r.Measures, m)
}

// measuring reports how far a measurement is.
type measuring struct {
	performance *Performance
	report      func(PerformanceStep)
	perRow      int // steps of a row
	start       time.Time
	row, done   int
	work        string
}

func (m *measuring) begin(row int) {
	m.row, m.done, m.work = row, row*m.perRow, ""
	m.tell()
}

// at says that another kind of work begins.
func (m *measuring) at(work string) {
	m.work = work
	m.tell()
}

// step is called after each piece of work.
func (m *measuring) step() {
	m.done = min(m.done+1, (m.row+1)*m.perRow)
	m.tell()
}

func (m *measuring) end() {
	m.done = len(m.performance.Rows) * m.perRow
	m.tell()
}

func (m *measuring) tell() {
	if m.report == nil {
		return
	}
	done, total := int64(m.done), int64(len(m.performance.Rows)*m.perRow)
	rows := slices.Clone(m.performance.Rows)
	for i := range rows { // the receiver may keep them
		rows[i].Measures, rows[i].Curve, rows[i].Norms = slices.Clone(rows[i].Measures), slices.Clone(rows[i].Curve), slices.Clone(rows[i].Norms)
		rows[i].Memory = slices.Clone(rows[i].Memory)
	}
	m.report(PerformanceStep{
		Progress: Progress{Stage: StageMeasuring, Done: done, Total: total, Unit: "steps", Left: timeLeft(time.Since(m.start), done, total)},
		Row:      m.row, Work: m.work, Rows: rows,
	})
}
