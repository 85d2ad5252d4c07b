package measure

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"inglenook/app/devices"
)

// Fastest is the way in which a model did one kind of work fastest, with the measurement that found it.
type Fastest struct {
	Result
	Row     Row
	Measure Measure
}

// FastestOf compares the ways in which a model of this computer was measured, each by its newest
// measurement: list has the newest first. A way that gave other results than the model should is
// none, nor is one for checking alone. False: there is none.
func FastestOf(list []Result, model, work string) (best Fastest, ok bool) {
	seen := map[devices.Target]bool{}
	for _, result := range list {
		if result.Model != model {
			continue
		}
		for _, row := range result.Rows {
			m, measured := row.Measure(work)
			if !measured || m.Median <= 0 || row.Emulated || row.Server || seen[row.Target] {
				continue
			}
			seen[row.Target] = true
			if row.Judge() != Different && m.Median > best.Measure.Median {
				best, ok = Fastest{result, row, m}, true
			}
		}
	}
	return best, ok
}

// Comparison returns the newest measurement that compared several ways, or else the newest one: a
// quick look at a single way does not stand for what was compared before. list has the newest first.
func Comparison(list []Result) (Result, bool) {
	for _, result := range list {
		measured := 0
		for _, row := range result.Rows {
			if len(row.Measures) > 0 {
				measured++
			}
		}
		if measured > 1 {
			return result, true
		}
	}
	if len(list) == 0 {
		return Result{}, false
	}
	return list[0], true
}

// WriteFastestCSV writes a line for each model and kind of work: its fastest way, how fast that was,
// and whether to rely on it.
func WriteFastestCSV(w io.Writer, list []Fastest) error {
	rows := [][]string{{"when", "model", "name", "device", "threads", "weights", "work", "size", "median", "least", "most", "unit", "repeats", "reliable"}}
	for _, f := range list {
		others, spread := Doubt(f.Rows, f.Measure.Work)
		rows = append(rows, []string{
			f.When.Format(time.RFC3339), f.Model, f.Name, f.Row.Device, strconv.Itoa(f.Row.Threads), f.Row.Weights, f.Measure.Work, strconv.Itoa(f.Measure.Amount),
			number(f.Measure.Median), number(f.Measure.Least), number(f.Measure.Most), f.Measure.Unit, strconv.Itoa(f.Measure.Repeats), strconv.FormatBool(others == 0 && spread == 0),
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
