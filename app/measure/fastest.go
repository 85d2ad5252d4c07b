package measure

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"inglenook/app/library"
)

// Fastest is the way in which a model did one kind of work fastest, with the measurement that found it.
type Fastest struct {
	Result
	Row     Row
	Measure Measure
	Bytes   int64   // of the model's files
	Memory  int64   // bytes that it takes in this way, with the program; 0: not known
	Shown   float64 // how fast it was, as people count it
	Counted string  // what that counts: "words" or "texts"
	Judged  string  // which way is the fastest, and how sure that is, in words
}

// clearlyFaster is how many times as fast a newer measurement has to be to stand for a model in place
// of one that compared several ways.
const clearlyFaster = 1.1

// recently is for how long before a comparison that is not reliable another one can stand in its place.
const recently = 7 * 24 * time.Hour

// Comparison returns the measurement that stands for a model: the newest one that compared several ways
// to its end, or where other programs disturbed that, the most reliable of the recent ones; unless a newer
// one found a way that is clearly faster than all of these; or else the newest one. A quick look at a
// single way does not stand for what was compared before. list has the newest first.
func Comparison(list []Result) (Result, bool) {
	if len(list) == 0 {
		return Result{}, false
	}
	at := comparison(list)
	if at < 0 {
		return list[0], true
	}
	for _, newer := range list[:at] {
		if newer.fastest() > clearlyFaster*list[at].fastest() && newer.doubt() == 0 {
			return newer, true
		}
	}
	return list[at], true
}

// comparison is the index of the most reliable recent measurement that compared several ways to its end,
// of equally reliable ones the newest; -1: there is none. One that compared fewer ways than the newest, or
// is clearly slower, as that of an older version may be, does not take its place.
func comparison(list []Result) int {
	at, newest := -1, Result{}
	for i, result := range list {
		switch {
		case result.Measured() < 2 || result.Cancelled:
		case at < 0:
			at, newest = i, result
		case newest.When.Sub(result.When) > recently:
			return at
		case result.Measured() >= newest.Measured() && newest.fastest() <= clearlyFaster*result.fastest() && result.doubt() < list[at].doubt():
			at = i
		}
	}
	return at
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

// doubt is how little to rely on the speeds of the last kind of work; 0: they are reliable.
func (p Result) doubt() float64 {
	for _, row := range p.Rows {
		if n := len(row.Measures); n > 0 {
			others, spread := Doubt(p.Rows, row.Measures[n-1].Work)
			return others + spread
		}
	}
	return 0
}

// WriteFastestCSV writes a line for each model and kind of work: its fastest way, how fast that was,
// as shown in the window and in its own unit, and whether to rely on it. Speeds are a second.
func WriteFastestCSV(w io.Writer, list []Fastest) error {
	rows := [][]string{{"when (UTC)", "model", "name", "file size (bytes)", "memory (bytes)", "device", "threads", "weights", "work", "amount (texts or tokens)", "speed as shown (a second)", "counted in", "median (unit/s)", "least (unit/s)", "most (unit/s)", "unit", "repeats", "reliable", "judgement"}}
	for _, f := range list {
		others, spread := Doubt(f.Rows, f.Measure.Work)
		rows = append(rows, []string{
			f.When.UTC().Format(time.RFC3339), f.Model, library.TitleOf(f.Model), strconv.FormatInt(f.Bytes, 10), strconv.FormatInt(f.Memory, 10), f.Row.Device, strconv.Itoa(f.Row.Threads), f.Row.Weights, f.Measure.Work, strconv.Itoa(f.Measure.Amount),
			number(f.Shown), f.Counted,
			number(f.Measure.Median), number(f.Measure.Least), number(f.Measure.Most), strings.TrimSuffix(f.Measure.Unit, "/s"), strconv.Itoa(f.Measure.Repeats), strconv.FormatBool(others == 0 && spread == 0), f.Judged,
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
