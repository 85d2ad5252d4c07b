package devices

import (
	"context"
	"errors"
	"testing"

	"inglenook/app/base"
	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// TestTestingIsTold: whoever waits until a device is opened and tested hears of it, also
// where that began for somebody else, and may stop waiting. The device is there afterwards.
func TestTestingIsTold(t *testing.T) {
	compiled := make(chan struct{})
	d := serviceWith(t, t.TempDir(), func() (engine.Backend, error) {
		<-compiled
		return &enginetest.ReferenceBackend{ID: "gpu"}, nil
	})
	cpu := &enginetest.ReferenceBackend{ID: "cpu"}
	wait := func(ctx context.Context, told chan<- string) error {
		_, _, err := d.Trusted(ctx, d.Others[0], cpu, func(p base.Progress) { told <- p.Stage })
		return err
	}
	first, ended := make(chan string, 9), make(chan error)
	go func() { ended <- wait(t.Context(), first) }()
	ctx, cancel := context.WithCancel(t.Context())
	second, stopped := make(chan string, 9), make(chan error)
	go func() { stopped <- wait(ctx, second) }()
	for _, told := range []chan string{first, second} {
		if s := <-told; s != base.StageTesting {
			t.Errorf("told %q", s)
		}
	}
	cancel()
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Errorf("who stopped waiting got %v", err)
	}
	close(compiled)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := wait(t.Context(), first); err != nil {
		t.Errorf("at the second use: %v", err)
	}
}
