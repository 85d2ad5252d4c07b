package measure

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"
)

// Fastest is the way in which a model did one kind of work fastest, with the measurement that found it.
type Fastest struct {
	Result
	Row     Row
	Measure Measure
	Bytes   int64  // of the model's files
	Judged  string // which way is the fastest, and how sure that is, in words
}

// clearlyFaster is how many times as fast a newer measurement has to be to stand for a model in place
// of one that compared several ways.
const clearlyFaster = 1.1

// Comparison returns the measurement that stands for a model: the newest one that compared several ways
// to its end, unless a newer one found a way that is clearly faster than all of these; or else the newest
// one. A quick look at a single way does not stand for what was compared before. list has the newest first.
func Comparison(list []Result) (Result, bool) {
	for i, result := range list {
		if result.Measured() < 2 || result.Cancelled {
			continue
		}
		for _, newer := range list[:i] {
			if newer.fastest() > clearlyFaster*result.fastest() && newer.reliable() {
				return newer, true
			}
		}
		return result, true
	}
	if len(list) == 0 {
		return Result{}, false
	}
	return list[0], true
}

// fastest is the best speed of the last kind of work, of which people notice most.
func (p Result) fastest() (best float64) {
	for _, row := range p.Rows {
		if n := len(row.Measures); n > 0 && !row.Measures[n-1].LessIsBetter() && !row.Emulated && !row.Server && row.Judge() != Different {
			best = max(best, row.Measures[n-1].Median)
		}
	}
	return best
}

func (p Result) reliable() bool {
	for _, row := range p.Rows {
		for _, m := range row.Measures {
			if others, spread := Doubt(p.Rows, m.Work); others+spread > 0 {
				return false
			}
		}
	}
	return true
}

// WriteFastestCSV writes a line for each model and kind of work: its fastest way, how fast that was,
// and whether to rely on it. Speeds are a second.
func WriteFastestCSV(w io.Writer, list []Fastest) error {
	rows := [][]string{{"when (UTC)", "model", "name", "file size (bytes)", "device", "threads", "weights", "work", "amount (texts or tokens)", "median (unit/s)", "least (unit/s)", "most (unit/s)", "unit", "repeats", "reliable", "judgement"}}
	for _, f := range list {
		others, spread := Doubt(f.Rows, f.Measure.Work)
		rows = append(rows, []string{
			f.When.UTC().Format(time.RFC3339), f.Model, f.Name, strconv.FormatInt(f.Bytes, 10), f.Row.Device, strconv.Itoa(f.Row.Threads), f.Row.Weights, f.Measure.Work, strconv.Itoa(f.Measure.Amount),
			number(f.Measure.Median), number(f.Measure.Least), number(f.Measure.Most), strings.TrimSuffix(f.Measure.Unit, "/s"), strconv.Itoa(f.Measure.Repeats), strconv.FormatBool(others == 0 && spread == 0), f.Judged,
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
