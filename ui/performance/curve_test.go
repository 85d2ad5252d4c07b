package performance

import (
	"slices"
	"strings"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/ui/uitest"
	"inglenook/ui/ways"
)

// Who has tested by number or length is told on the first page what that found.
func TestCurveRemark(t *testing.T) {
	uitest.LightApp(t)
	row := measure.Row{Target: devices.Target{Device: "cpu", Threads: 2}, Curve: []measure.CurvePoint{{Size: 1, Value: 2000}, {Size: 16, Value: 1000}}}
	for kind, want := range map[string]string{
		library.KindEmbedding: "By number: with 16 texts at once it is 2 times as fast as with 1 (CPU, 2 threads); more under Details.",
		library.KindChat:      "By length: after 16 tokens it writes 0.5 times as fast as after 1 (CPU, 2 threads); more under Details.",
	} {
		if got := curveRemark([]measure.Row{{}, row}, library.Model{Kind: kind}); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	row.Others = 0.4
	if got := curveRemark([]measure.Row{row}, library.Model{Kind: library.KindChat}); got != "" {
		t.Errorf("of values that are not reliable it says %q", got)
	}
	page := newCurvePage(&ways.Colors{})
	for _, others := range []float64{0, 0.4} {
		row.Others = others
		page.show([]measure.Row{row}, library.Model{Kind: library.KindChat})
		if told, open := strings.Contains(uitest.AllText(page.view), "An open dot is not reliable"), slices.Equal(page.plot.Lines[0].Doubts, []bool{true, true}); told != (others > 0) || open != told {
			t.Errorf("with others at %v the dots are open: %v, which is said: %v", others, open, told)
		}
	}
	if got := repeatsText(measure.Measure{Repeats: 5, Median: 100, Least: 52, Most: 430}); got != "unsteady: 52 to 430" {
		t.Errorf("of repetitions far apart it says %q", got)
	}
	if got := curveRemark([]measure.Row{{}}, library.Model{}); got != "" {
		t.Errorf("without a test it says %q", got)
	}
}
