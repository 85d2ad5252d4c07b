package performance

import (
	"testing"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/measure"
)

// Who has tested by number or length is told on the first page what that found.
func TestCurveRemark(t *testing.T) {
	row := measure.Row{Target: devices.Target{Device: "cpu", Threads: 2}, Curve: []measure.CurvePoint{{Size: 1, Value: 2000}, {Size: 16, Value: 1000}}}
	for kind, want := range map[string]string{
		library.KindEmbedding: "By number: with 16 texts at once it is 2 times as fast as with 1 (CPU, 2 threads); more under Details.",
		library.KindChat:      "By length: after 16 tokens it writes 0.5 times as fast as after 1 (CPU, 2 threads); more under Details.",
	} {
		if got := curveRemark([]measure.Row{{}, row}, library.Model{Kind: kind}); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	if got := curveRemark([]measure.Row{{}}, library.Model{}); got != "" {
		t.Errorf("without a test it says %q", got)
	}
}
