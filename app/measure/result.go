package measure

import (
	"slices"
	"time"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/engine/probe"
)

// Result is how fast a model was on several targets. The window shows it, the
// command line prints it.
type Result struct {
	When     time.Time `json:"when"`
	Version  string    `json:"version"`
	Machine  string    `json:"machine"` // its processor
	Model    string    `json:"model"`   // its id
	Name     string    `json:"name"`
	Kind     string    `json:"kind"`
	Thorough bool      `json:"thorough"`
	// Cancelled says that a person ended it early: rows are missing, or the end of a curve.
	Cancelled bool  `json:"cancelled,omitempty"`
	Rows      []Row `json:"rows"`
}

// Measured counts the ways that have a speed.
func (p Result) Measured() (n int) {
	for _, r := range p.Rows {
		if len(r.Measures) > 0 {
			n++
		}
	}
	return n
}

// Row is how fast a model was on one target.
type Row struct {
	devices.Target
	Name     string    `json:"name"`             // of the device
	Emulated bool      `json:"emulated"`         // right or wrong as the device would be, and far slower
	Server   bool      `json:"server,omitempty"` // the model of this row runs on a server
	Failed   string    `json:"failed,omitempty"` // one sentence: why the row ends here
	Measures []Measure `json:"measures"`
	// Agreement of the last measure with the first row that worked; of a language model
	// on a server, the share of its answers that is the same text. It means nothing where
	// Compared is false.
	Agreement float64 `json:"agreement"`
	Compared  bool    `json:"compared"`
	// DeviceShare is the part of the operations' time that was spent on this
	// device. The rest fell back to the CPU, for the reasons in Notes.
	DeviceShare float64  `json:"device_share"`
	Notes       []string `json:"notes,omitempty"`
	// Others is the part of this computer's processors that other programs used
	// during the measurement; -1: unknown.
	Others float64      `json:"others"`
	Curve  []CurvePoint `json:"curve,omitempty"`
	// MemoryBytesPerS is how fast the device read uncached weights during this
	// measurement; 0: not measured.
	MemoryBytesPerS float64       `json:"memory_bytes_per_s,omitempty"`
	Memory          []MemoryPoint `json:"memory,omitempty"` // of a language model, by the size of its context
	Norms           []NormPoint   `json:"norms,omitempty"`
	Guesses         *Guesses      `json:"guesses,omitempty"` // of a language model; nil: not measured

	answers []string // of a language model that is compared with one on a server
	err     error    // the reason that Failed tells
}

// Measure is how fast one kind of work went.
type Measure struct {
	Work   string `json:"work"`   // one of the Work constants
	Amount int    `json:"amount"` // texts, pairs or tokens of one repetition
	// Device is where the work ran: the target's, or more than one, as "metal+cpu".
	Device string `json:"device,omitempty"`
	// Context is how many tokens the longest text had, or the context at the end.
	Context   int     `json:"context,omitempty"`
	Unit      string  `json:"unit"`
	Median    float64 `json:"median"`
	P10       float64 `json:"p10"`
	P90       float64 `json:"p90"`
	Least     float64 `json:"least"` // of all repetitions
	Most      float64 `json:"most"`
	Repeats   int     `json:"repeats"`
	BytesPerS float64 `json:"bytes_per_s"` // of weights, keys and values
	FlopsPerS float64 `json:"flops_per_s"`
	// MemoryShare is BytesPerS as a part of the bandwidth of the device's memory;
	// 0 where memory is not the limit, or the bandwidth is not known.
	MemoryShare float64 `json:"memory_share,omitempty"`
	// PeakBytes is the most memory that the process had taken by then.
	PeakBytes int64   `json:"peak_memory_bytes,omitempty"`
	Predicted float64 `json:"predicted,omitempty"` // the prediction of Median; 0: none
	// Agreement of all repetitions with the first row that worked (in that row,
	// with its first repetition): the smallest cosine of two results for the same
	// text, or the share of tokens up to the first that differs.
	Agreement float64 `json:"agreement,omitempty"`
	Ops       []Op    `json:"ops,omitempty"`
}

// Op is the time that operations of one kind took.
type Op struct {
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

// Err returns why the first row that failed ended; nil: all worked.
func (p Result) Err() error {
	for _, r := range p.Rows {
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// Agreement returns the smallest agreement of all measures and rows; 1: there is nothing to compare.
func (p Result) Agreement() float64 {
	least := 1.0
	for _, r := range p.Rows {
		for _, m := range r.Measures {
			least = min(least, m.Agreement)
		}
		if r.Server && r.Compared {
			least = min(least, r.Agreement)
		}
	}
	return least
}

// LessIsBetter reports whether a small value is the good one.
func (m Measure) LessIsBetter() bool { return m.Unit == fit.UnitMilliseconds }

// Range returns the least and the most of all repetitions; of an old measurement, which
// does not have them, the bounds of the middle 80 %.
func (m Measure) Range() (least, most float64) {
	if m.Most > 0 {
		return m.Least, m.Most
	}
	return m.P10, m.P90
}

// Spread returns half of the range as a part of the median.
func (m Measure) Spread() float64 {
	if m.Median == 0 {
		return 0
	}
	least, most := m.Range()
	return (most - least) / 2 / m.Median
}

// PredictionError returns how far the prediction was off, as a part of the measured
// value; false: there is no prediction.
func (m Measure) PredictionError() (float64, bool) {
	if m.Predicted <= 0 || m.Median <= 0 {
		return 0, false
	}
	return m.Predicted/m.Median - 1, true
}

// Measure returns the row's measure of a kind of work; false: there is none.
func (r Row) Measure(work string) (Measure, bool) {
	i := slices.IndexFunc(r.Measures, func(m Measure) bool { return m.Work == work })
	if i < 0 {
		return Measure{}, false
	}
	return r.Measures[i], true
}

// MemoryPoint is what a language model takes with a context of some size: its
// weights, keys and values, and what it needs to work. What the program takes
// without it is left out.
type MemoryPoint struct {
	Context   int   `json:"context"`        // tokens
	Predicted int64 `json:"foreseen_bytes"` // as compat counts it
	// Peak is by how much the memory of the process rose at most; 0: not measured.
	// It is known for the largest context alone, with which the model is opened.
	Peak int64 `json:"peak_bytes,omitempty"`
}

// NormPoint is what one norm takes for one number of rows.
type NormPoint struct {
	Op        string  `json:"op"` // "layer_norm" or "rms_norm"
	Rows      int     `json:"rows"`
	Median    float64 `json:"median"` // microseconds, as the two below
	P10       float64 `json:"p10"`
	P90       float64 `json:"p90"`
	BytesPerS float64 `json:"bytes_per_s"` // of values, read and written once each
}

// NormColumns is the width of the rows of [NormPoint].
const NormColumns = probe.NormColumns
