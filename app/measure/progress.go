package measure

import (
	"slices"
	"time"

	"inglenook/app/base"
)

// StageMeasuring is the stage of a measurement.
const StageMeasuring = "measuring"

// Step says how far a measurement is.
type Step struct {
	base.Progress
	Row  int    // what is being measured
	Work string // which kind of work; empty: the model is being opened
	Rows []Row  // so far
}

// measuring reports how far a measurement is.
type measuring struct {
	performance *Result
	report      func(Step) // may be nil
	perRow      int        // steps of a row
	start       time.Time
	row, done   int
	work        string
}

func newMeasuring(p *Result, perRow int, report func(Step)) *measuring {
	return &measuring{performance: p, perRow: perRow, report: report, start: time.Now()}
}

func (m *measuring) begin(row int) {
	m.row, m.done, m.work = row, row*m.perRow, ""
	m.publish()
}

// at reports that another kind of work begins.
func (m *measuring) at(work string) {
	m.work = work
	m.publish()
}

// step is called after each piece of work.
func (m *measuring) step() {
	m.done = min(m.done+1, (m.row+1)*m.perRow)
	m.publish()
}

func (m *measuring) end() {
	m.done = len(m.performance.Rows) * m.perRow
	m.publish()
}

func (m *measuring) publish() {
	if m.report == nil {
		return
	}
	done, total := int64(m.done), int64(len(m.performance.Rows)*m.perRow)
	rows := slices.Clone(m.performance.Rows)
	for i := range rows { // the receiver may keep them
		r := &rows[i]
		r.Measures, r.Curve = slices.Clone(r.Measures), slices.Clone(r.Curve)
		r.Norms, r.Memory = slices.Clone(r.Norms), slices.Clone(r.Memory)
	}
	m.report(Step{
		Progress: base.Progress{Stage: StageMeasuring, Done: done, Total: total, Unit: "steps", Left: base.TimeLeft(time.Since(m.start), done, total)},
		Row:      m.row, Work: m.work, Rows: rows,
	})
}
