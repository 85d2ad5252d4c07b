package fit

import (
	"testing"

	"inglenook/engine"
)

// TestJudge: a verdict names what falls back, and says a reason that all of it shares once.
func TestJudge(t *testing.T) {
	on := func(op engine.Op, device string, refused ...engine.Refusal) engine.Placement {
		return engine.Placement{Op: op, Device: device, Refused: refused}
	}
	room := engine.Refusal{Device: "cuda", Reason: "its memory has room for 12 of 32 layers"}
	kernel := engine.Refusal{Device: "cuda", Reason: "no kernel"}
	for _, c := range []struct {
		places          []engine.Placement
		verdict, reason string
	}{
		{[]engine.Placement{on(engine.OpEmbed, "cuda"), on(engine.OpLinear, "cuda")}, VerdictFull, ""},
		{
			[]engine.Placement{on(engine.OpEmbed, "cpu", room), on(engine.OpLinear, "cpu", room), on(engine.OpLinear, "cuda")},
			VerdictPartial,
			"2 of 3 operations fall back: to cpu, since its memory has room for 12 of 32 layers",
		},
		{
			[]engine.Placement{on(engine.OpEmbed, "cpu", room), on(engine.OpScale, "cpu", kernel), on(engine.OpLinear, "cuda")},
			VerdictPartial,
			"2 of 3 operations fall back: 1 × lookup of words to cpu (its memory has room for 12 of 32 layers), 1 × scaling to cpu (no kernel)",
		},
		{[]engine.Placement{on(engine.OpScale, "cpu", kernel)}, VerdictNo, "none of the operations has a kernel there: 1 × scaling to cpu (no kernel)"},
	} {
		if verdict, reason := Judge(engine.Report{Placements: c.places}, "cuda"); verdict != c.verdict || reason != c.reason {
			t.Errorf("%s, %q, want %s, %q", verdict, reason, c.verdict, c.reason)
		}
	}
}
