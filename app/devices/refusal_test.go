package devices

import (
	"errors"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/gpu/emulator"
	"inglenook/metalbackend/emulated"
	"inglenook/metalbackend/fake"
)

// A device of which Metal makes one pipeline less is used for all the rest. Its page
// says what the CPU does, and the next start tests it again.
func TestTrustedWithoutAPipeline(t *testing.T) {
	var rt *fake.Fake
	d := serviceWith(t, t.TempDir(), func() (engine.Backend, error) {
		b, runtime, err := emulated.Runtime(emulated.Options{})
		rt = runtime
		return b, err
	})
	if _, err := d.Others[0].backend(); errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	rt.Inject(fake.Fault{Kind: fake.RefusePipeline, At: 1, Of: "soft_cap"})
	cpu, err := d.CPU(1)
	if err != nil {
		t.Fatal(err)
	}
	guard, notices, err := d.Trusted(t.Context(), d.Others[0], cpu, nil)
	if err != nil || len(notices) > 0 || guard.Failed() != nil {
		t.Fatalf("%v, %q, %v", err, notices, guard.Failed())
	}
	if says := d.Others[0].describe().SelfCheck; !strings.Contains(says, "It cannot do 1 kind of operation, which the CPU does for it (no kernel for soft_cap") {
		t.Errorf("the page says %q", says)
	}
	if d.Proofs.Known(d.Proofs.Key(guard, "self-check")) {
		t.Error("the next start does not test it")
	}
}

// What is known of a device is told while it is being opened.
func TestDevicesWhileOpening(t *testing.T) {
	begun, end := make(chan bool), make(chan bool)
	d := serviceWith(t, t.TempDir(), func() (engine.Backend, error) {
		close(begun)
		<-end
		return nil, errors.New("no more")
	})
	d.Others[0].Probe = func() (engine.Device, error) { return engine.Device{ID: "gpu", Name: "Apple M9"}, nil }
	done := make(chan error)
	go func() {
		_, err := d.Backends("gpu")
		done <- err
	}()
	<-begun
	if shown := d.Device("gpu"); !shown.Available || shown.Name != "Apple M9" {
		t.Errorf("shown as %+v", shown)
	}
	close(end)
	if err := <-done; err == nil || d.Device("gpu").Reason != "No more." {
		t.Errorf("opened: %v, shown as %+v", err, d.Device("gpu"))
	}
}

// TestLine: a device in one line, with the cards beside it.
func TestLine(t *testing.T) {
	d := Device{ID: "cuda", Name: "Card 2", MemoryBytes: 8 << 30, Available: true, Features: []string{"sm_89"}, NotUsed: []string{"Card 1, with 2 MB of 8 MB free"}}
	if line := d.Line(); line != "cuda: Card 2, 8.6 GB, sm_89; not used: Card 1, with 2 MB of 8 MB free" {
		t.Error(line)
	}
}
