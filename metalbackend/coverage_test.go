package metalbackend

import (
	"testing"

	"inglenook/engine"
	"inglenook/metalbackend/fake"
)

// TestCoverage: there is a lowering for each operation of the engine. It fails for
// the next one that forgets its kernel. That no type or size of the conformance
// suite is refused, TestConformance sees to.
func TestCoverage(t *testing.T) {
	b, _ := open(t, fake.Options{}, Options{})
	for _, op := range engine.Ops() {
		if _, ok := lowerers[op]; !ok {
			t.Errorf("%s has no lowering", op)
		}
	}
	if err := b.Supports(&engine.Tensor{Op: engine.OpWeight}); err == nil {
		t.Error("what computes nothing is supported")
	}
}
