package app

import (
	"context"
	"strings"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/measure"
)

// Exact amounts of work are measured as requested, and amounts that do not fit the model are
// refused.
func TestMeasureAmounts(t *testing.T) {
	w := &writer{}
	a := newWritingApp(t, w)
	cpu := []devices.Target{{Device: "cpu", Hold: devices.Hold{KV: "f32"}}}
	got, err := a.Measure(context.Background(), measure.Request{Targets: cpu, Amounts: measure.Amounts{Prompt: 3, Generate: 4, Depth: 5, Repeat: 2}}, nil)
	if err != nil || got.Err() != nil {
		t.Fatal(err, got.Err())
	}
	if a.Settings().LastUsed[got.Model].IsZero() {
		t.Error("a model that was measured was never used")
	}
	if got.Agreement() != 1 || w.options.KV != "f32" || w.options.Context != 10 {
		t.Errorf("%+v with %+v", got, w.options)
	}
	for work, context := range map[string]int{fit.WorkPrompt: 8, fit.WorkGenerate: 9} {
		m, ok := got.Rows[0].Measure(work)
		if !ok || m.Context != context || m.Unit != "tokens/s" || m.Device != "cpu" || m.Repeats != 2 || m.Median <= 0 || m.P10 > m.Median || m.P90 < m.Median {
			t.Errorf("%s: %+v", work, m)
		}
	}
	refuses := func(a *App, want string, targets []devices.Target, n measure.Amounts) {
		t.Helper()
		if _, err := a.Measure(context.Background(), measure.Request{Targets: targets, Amounts: n}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v on %+v: %v", n, targets, err)
		}
	}
	refuses(a, "is a language model", cpu, measure.Amounts{Texts: 3, Repeat: 1})
	embeds := newTestApp(t, &double{})
	for _, n := range []measure.Amounts{{Depth: 1, Repeat: 1}, {Generate: 1, Repeat: 1}} {
		refuses(embeds, "does not write text", []devices.Target{{Device: "cpu"}}, n)
	}
	refuses(embeds, "does not write text", cpu, measure.Amounts{Texts: 1, Repeat: 1})
}
