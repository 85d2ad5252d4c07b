package measure

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"time"

	"inglenook/app/library"
)

// WriteJSON writes the measurement with all that is known of it.
func (p Result) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(p)
}

// WriteCSV writes a line for each place and kind of work, and for each point of
// a curve. A place that failed has the reason in a column of its own. Two columns say what the window
// says: the name of the model, and of speeds in tokens how many words that is.
func (p Result) WriteCSV(w io.Writer, wordsPerToken float64) error {
	out := csv.NewWriter(w)
	rows := [][]string{{
		"when (UTC)", "model", "device", "name", "threads", "weights", "emulated", "work", "size (texts, tokens or rows)", "median (unit)", "10th percentile (unit)", "90th percentile (unit)", "least (unit)", "most (unit)", "unit", "repeats", "predicted (unit)",
		"agreement (0 to 1)", "share of the device (0 to 1)", "memory read (bytes/s)", "arithmetic (operations/s)", "failed", "model as shown", "words (about, 1/s)",
	}}
	shown := library.TitleOf(p.Model)
	for _, r := range p.Rows {
		start := []string{p.When.Format(time.RFC3339), p.Model, r.Device, r.Name, strconv.Itoa(r.Threads), r.Weights, strconv.FormatBool(r.Emulated)}
		agreement := ""
		if r.Compared {
			agreement = number(r.Agreement)
		}
		words := ""
		line := func(rest ...string) {
			rows = append(rows, slices.Concat(start, rest, []string{shown, words}))
		}
		for _, m := range r.Measures {
			if words = ""; m.Unit == "tokens/s" {
				words = number(m.Median * wordsPerToken)
			}
			line(m.Work, strconv.Itoa(m.Amount), number(m.Median), number(m.P10), number(m.P90), number(m.Least), number(m.Most), m.Unit, strconv.Itoa(m.Repeats), number(m.Predicted),
				agreement, number(r.DeviceShare), number(m.BytesPerS), number(m.FlopsPerS), r.Failed)
		}
		words = ""
		for _, c := range r.Curve {
			line("curve", strconv.Itoa(c.Size), number(c.Value), "", "", "", "", p.CurveUnit(), "", "", agreement, "", "", "", r.Failed)
		}
		for _, m := range r.Memory {
			line("memory predicted", strconv.Itoa(m.Context), strconv.FormatInt(m.Predicted, 10), "", "", "", "", "B", "", "", agreement, "", "", "", r.Failed)
			if m.Peak > 0 {
				line("memory measured", strconv.Itoa(m.Context), strconv.FormatInt(m.Peak, 10), "", "", "", "", "B", "", "", agreement, "", "", "", r.Failed)
			}
		}
		for _, n := range r.Norms {
			line(n.Op, strconv.Itoa(n.Rows), number(n.Median), number(n.P10), number(n.P90), "", "", "µs", "", "", agreement, "", number(n.BytesPerS), "", r.Failed)
		}
		if len(r.Measures)+len(r.Curve)+len(r.Norms) == 0 {
			line("", "", "", "", "", "", "", "", "", "", agreement, "", "", "", r.Failed)
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return err
	}
	return out.Error()
}

// CurveUnit is the unit of the curves' values.
func (p Result) CurveUnit() string {
	if (library.Model{Kind: p.Kind}).Writes() {
		return "tokens/s"
	}
	return "µs/text"
}

// number writes a value as it stands in a CSV file.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
