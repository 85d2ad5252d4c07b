package performance

import (
	"testing"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/measure"
)

// rowOf is a row with one speed.
func rowOf(device, weights, work string, median, agreement float64) measure.Row {
	return measure.Row{
		Target: devices.Target{Device: device, Hold: devices.Hold{Weights: weights}}, Compared: agreement > 0, Agreement: agreement,
		Measures: []measure.Measure{{Work: work, Median: median}},
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
		"On the GPU this model writes 3.4 times as fast as on the CPU: 41 instead of 12 words a second.": {
			rowOf("cpu", "", fit.WorkGenerate, 16, 0), rowOf("metal", "", fit.WorkGenerate, 54.4, 1),
		},
		"On this computer's CPU this model reads about 139 texts a second. With 8-bit weights it is 1.6 times as fast, and its results are 99.89 % alike.": {
			rowOf("cpu", "", fit.WorkEmbed, 94.5, 0), rowOf("cpu", "", fit.WorkEmbed, 139, 1), rowOf("cpu", "q8_0", fit.WorkEmbed, 222, 0.998997),
		},
		"On this computer's CPU this model reads about 139 texts a second.": {
			rowOf("cpu", "", fit.WorkEmbed, 139, 0), rowOf("cpu", "q8_0", fit.WorkEmbed, 134, 0.9999), emulated,
		},
		"On this computer's CPU this model ranks about 7.5 texts a second.": { // other results are no gain
			rowOf("cpu", "", fit.WorkRerank, 7.5, 0), rowOf("cpu", "q8_0", fit.WorkRerank, 20, 0.9),
		},
		"On lab this model writes 3.4 times as fast as on this computer: 41 instead of 12 words a second.": {
			rowOf("cpu", "", fit.WorkGenerate, 16, 0), there,
		},
		"On lab this model writes about 41 words a second.":       {there},
		"On the GPU this model reads about 1,200 texts a second.": {rowOf("metal", "", fit.WorkEmbed, 1200, 0)},
		"On the GPU this model reads as fast as on the CPU: 102 instead of 100 texts a second.": {
			rowOf("cpu", "", fit.WorkEmbed, 100, 0), rowOf("metal", "", fit.WorkEmbed, 102, 1),
		},
	} {
		if got := headline(rows); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
