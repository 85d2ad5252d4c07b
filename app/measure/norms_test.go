package measure

import (
	"context"
	"errors"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/engine/probe"
)

// lost is a backend that fails after a number of runs.
type lost struct {
	*enginetest.ReferenceBackend
	left int
}

func (l *lost) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	if l.left--; l.left < 0 {
		return errors.New("it was pulled out")
	}
	return l.ReferenceBackend.Submit(ctx, arena, ops)
}

// A device that disappears is turned off, and the error says why.
func TestNormsOnALostDevice(t *testing.T) {
	guard := engine.NewGuard(&lost{&enginetest.ReferenceBackend{ID: "gpu"}, 2})
	_, err := probe.Norm(t.Context(), guard, engine.OpRMSNorm, 4)
	turnOff(guard, err)
	if err == nil || guard.Failed() == nil || !strings.Contains(guard.Failed().Error(), "pulled out") {
		t.Errorf("%v; the guard says %v", err, guard.Failed())
	}
}
