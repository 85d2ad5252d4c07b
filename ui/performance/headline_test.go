package performance

import (
	"slices"
	"strings"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/uitest"
	"inglenook/ui/ways"
)

// rowOf is a row with one speed.
func rowOf(device, weights, work string, median, agreement float64) measure.Row {
	return measure.Row{
		Target: devices.Target{Device: device, Hold: devices.Hold{Weights: weights}}, Compared: agreement > 0, Agreement: agreement,
		Measures: []measure.Measure{{Work: work, Median: median}},
	}
}

// threads is a row of the CPU with so many threads.
func threads(n int, median float64) measure.Row {
	r := rowOf("cpu", "", fit.WorkEmbed, median, 0)
	r.Threads = n
	return r
}

// headline is the sentence about rows; "": nothing is measured.
func headline(rows []measure.Row) string {
	g, ok := gistOf(rows)
	if !ok {
		return ""
	}
	return g.headline()
}

// No bar stands out where the sentence says that none does; a small lead is none.
func TestNoBarWinsByChance(t *testing.T) {
	winners := func(rows []measure.Row) (list []int) {
		for i, bar := range deedOf(fit.WorkEmbed).bars(rows, ways.Colors{}, false, -1) {
			if bar.Detail == "the fastest" {
				list = append(list, i)
			}
		}
		return list
	}
	rows := []measure.Row{threads(1, 44), threads(2, 45), rowOf("cpu", "q8_0", fit.WorkEmbed, 46, 0.9999)}
	if got := winners(rows); got != nil {
		t.Errorf("%v stand out by chance", got)
	}
	rows[0] = threads(1, 20)
	if got := winners(rows); !slices.Equal(got, []int{2}) {
		t.Errorf("%v stand out", got)
	}
	g, _ := gistOf(rows)
	if got := g.estimate(); got != "About 20 to 69 texts a second, depending on the way (estimate)." {
		t.Errorf("the estimate is %q", got)
	}
}

// The room opens with what the bars mean, in words that need no knowledge of the field.
func TestHeadline(t *testing.T) {
	emulated := rowOf("metal-emulated", "", fit.WorkEmbed, 1e6, 1)
	emulated.Emulated = true
	there := rowOf("lab", "", fit.WorkGenerate, 54.4, 1)
	there.Server = true
	for want, rows := range map[string][]measure.Row{
		"": nil,
		"On the GPU this model writes 3.4 times as fast as on the CPU: 41 instead of 12 words a second. That is 10 times as fast as people read.": {
			rowOf("cpu", "", fit.WorkGenerate, 16, 0), rowOf("metal", "", fit.WorkGenerate, 54.4, 1),
		},
		"On the CPU this model reads about 139 texts a second. That is about 25 pages of a book a second. With 8-bit weights it is 1.6 times as fast, and its results are 99.89 % like those without them.": {
			rowOf("cpu", "", fit.WorkEmbed, 94.5, 0), rowOf("cpu", "", fit.WorkEmbed, 139, 1), rowOf("cpu", "q8_0", fit.WorkEmbed, 222, 0.998997),
		},
		"This model reads about 139 texts a second here. That is about 25 pages of a book a second. Both ways are about equally fast.": {
			rowOf("cpu", "", fit.WorkEmbed, 139, 0), rowOf("cpu", "q8_0", fit.WorkEmbed, 134, 0.9999), emulated,
		},
		"On the GPU this model writes 3.4 times as fast as on the CPU: 41 instead of 12 words a second. That is 10 times as fast as people read. With 8-bit weights it is 1.5 times as fast on the CPU.": {
			rowOf("cpu", "", fit.WorkGenerate, 16, 0), rowOf("metal", "", fit.WorkGenerate, 54.4, 1), rowOf("cpu", "q8_0", fit.WorkGenerate, 24, 0),
		},
		"On the CPU this model writes about 18 words a second with 8-bit weights. That is 4.5 times as fast as people read.": {rowOf("cpu", "q8_0", fit.WorkGenerate, 24, 0)},
		"On the CPU this model ranks about 7.5 texts a second. With 8-bit weights its results are too different: only 90 % like those without them.": {
			rowOf("cpu", "", fit.WorkRerank, 7.5, 0), rowOf("cpu", "q8_0", fit.WorkRerank, 20, 0.9),
		},
		"On lab this model writes 3.4 times as fast as on this computer: 41 instead of 12 words a second. That is 10 times as fast as people read.": {
			rowOf("cpu", "", fit.WorkGenerate, 16, 0), there,
		},
		"On lab this model writes about 41 words a second. That is 10 times as fast as people read.":          {there},
		"On the GPU this model reads about 1,200 texts a second. That is about 212 pages of a book a second.": {rowOf("metal", "", fit.WorkEmbed, 1200, 0)},
		"On the CPU this model reads about 45 texts a second. That is about 8 pages of a book a second. With 8-bit weights it is no faster. It is slower with 2 threads than with 1.": {
			threads(1, 45), threads(2, 30), rowOf("cpu", "q8_0", fit.WorkEmbed, 46, 0.9999),
		},
		"This model reads about 45 texts a second here. That is about 8 pages of a book a second. All three ways are about equally fast.": {
			threads(1, 44), threads(2, 45), rowOf("cpu", "q8_0", fit.WorkEmbed, 46, 0.9999),
		},
		"This model reads about 102 texts a second here. That is about 18 pages of a book a second. Both ways are about equally fast.": {
			rowOf("cpu", "", fit.WorkEmbed, 100, 0), rowOf("metal", "", fit.WorkEmbed, 102, 1),
		},
	} {
		if got := headline(rows); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// On a busy computer the best answer there is stands with why to doubt it: a way that was faster in
// every repetition, or each time, probably is; where they overlap there is no winner.
func TestProbablyOnABusyComputer(t *testing.T) {
	uitest.LightApp(t)
	rows := []measure.Row{rowOf("cpu", "", fit.WorkEmbed, 20, 0), rowOf("cpu", "q8_0", fit.WorkEmbed, 40, 0.9999)}
	varied := func(i int, least, most float64) {
		m := &rows[i].Measures[0]
		m.Least, m.Most, m.Repeats = least, most, 5
	}
	shown := func(earlier ...measure.Result) string {
		p := newSummaryPage(&ways.Colors{})
		p.show(rows, "", earlier...)
		return uitest.AllText(p.view)
	}
	check := func(got string, want ...string) {
		t.Helper()
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("it says %q, not %q", got, part)
			}
		}
	}
	varied(0, 18, 22)
	varied(1, 36, 44)
	if got := shown(); !strings.Contains(got, "2 times as fast") || strings.Contains(got, "Probably") {
		t.Errorf("of a quiet computer it says %q", got)
	}
	rows[1].Others = 0.4
	check(shown(), "Probably CPU, 8-bit: about 40 texts a second", "It was the fastest in every repetition, though other programs were busy (up to 40 % of the CPU). Close those programs and measure again, to be sure.")
	varied(0, 18, 41)
	check(shown(), "Perhaps CPU, 8-bit: about 40 texts a second", "It was 2 times as fast as CPU this time, but other programs were busy", "perhaps the fastest")
	rows[0].Measures[0].Median = 35
	check(shown(), "No clear winner: about 40 texts a second", "do not lie clearly apart")
	rows[0].Measures[0].Median = 20
	again, other := measure.Result{Rows: slices.Clone(rows)}, measure.Result{Rows: []measure.Row{rowOf("cpu", "", fit.WorkEmbed, 50, 0), rows[1]}}
	check(shown(again), "Probably CPU, 8-bit", "It was the fastest both times, though")
	check(shown(again, again), "all 3 times")
	check(shown(again, other), "No clear winner", "CPU, 8-bit was 2 times as fast as CPU this time, but another measurement found it slower, and other programs")
	rows = rows[1:]
	check(shown(), "Probably about 40 texts a second", "It can be another speed: other programs")
	rows[0].Others = 0
	varied(0, 12, 60)
	check(shown(), "the speed varied by 120 % from run to run. Measure again while")
}

// Every way that was ticked has its bar, in the unit of the sentence above: also one that is slower,
// one that failed and one that is yet to be measured.
func TestABarForEachWay(t *testing.T) {
	failed, emulated := rowOf("cuda", "", fit.WorkPrompt, 100, 0), rowOf("metal-emulated", "", fit.WorkGenerate, 1e6, 1)
	failed.Failed, emulated.Emulated = "The device was lost.", true
	rows := []measure.Row{rowOf("cpu", "", fit.WorkGenerate, 16, 0), rowOf("metal", "", fit.WorkGenerate, 54.4, 1), rowOf("cpu", "q8_0", fit.WorkGenerate, 12, 0), failed, emulated, rowOf("cpu", "q4_k", fit.WorkPrompt, 100, 0)}
	bars := deedOf(fit.WorkGenerate).bars(rows, ways.Colors{}, false, 5)
	if len(bars) != len(rows) {
		t.Fatalf("%d bars for %d ways", len(bars), len(rows))
	}
	for i, want := range []string{"12", "41", "9"} {
		if bars[i].Text != want || bars[i].Note != "words a second" {
			t.Errorf("bar %d is %+v, want %s", i, bars[i], want)
		}
	}
	if bars[0].Name == bars[2].Name || bars[1].Fill == bars[0].Fill {
		t.Errorf("ways look alike: %+v", bars)
	}
	if bars[3].Failed == "" || !bars[4].Pale || !bars[5].Wait || bars[5].Detail != "measuring…" {
		t.Errorf("%+v", bars[3:])
	}
	if text := headline(rows); !strings.Contains(text, "That is 10 times as fast as people read. With 8-bit weights it is slower.") {
		t.Errorf("the sentence is %q", text)
	}
}

// What can only be guessed is written in round figures.
func TestSpansAreRound(t *testing.T) {
	for _, c := range []struct {
		slowest, fastest float64
		want             string
	}{{508, 946.7, "130 to 1,400"}, {110, 220, "28 to 330"}, {6, 9, "1.5 to 14"}} {
		if got := span(c.slowest, c.fastest); got != c.want {
			t.Errorf("%v and %v: %q, want %q", c.slowest, c.fastest, got, c.want)
		}
	}
}
