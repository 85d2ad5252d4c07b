package placement

import (
	"context"
	"fmt"

	"inglenook/engine"
)

// Proof is the result of comparing a device with the CPU on a short pass of one
// model.
type Proof struct {
	Device     string  // its id; empty where nothing was compared
	Difference float64 // normalized mean squared error of the device's results
	Reason     string  // why the device is not used for this model, as the end of a sentence about it; empty where it is
}

// The differences that rounding explains: the CPU multiplies block types by
// activations of 8 bits and other devices do not, caches may round to 16 bits.
// A kernel that is wrong gives a difference of the order of 1.
const (
	plainDifference     = 1e-3
	quantizedDifference = 3e-2
)

// unproven is the error about a device that did not pass.
type unproven struct{ Proof }

func (u *unproven) Error() string { return u.Device + " " + u.Reason }

// Loader is what Load needs of a model. After Load the devices hold the weights
// that the last Prepare brought there.
type Loader interface {
	// Prepare brings the weights to backends.
	Prepare(ctx context.Context, progress func(done, total int64), bs []engine.Backend) error
	// Golden does a short pass, whose results are the same everywhere except for rounding.
	Golden(ctx context.Context, bs []engine.Backend) ([]float32, error)
	// Forget frees what the backends hold.
	Forget()
	// Quantized reports whether weights are in block types.
	Quantized() bool
	// Bytes is what the weights take.
	Bytes() int64
}

// Load prepares a model on the list. With prove it first lets the CPU run a
// golden pass and frees its weights, and then compares the first device's pass
// with that.
func (f *List) Load(ctx context.Context, m Loader, progress func(done, total int64), prove bool) (proof Proof, err error) {
	var want []float32
	prove = prove && len(f.Backends) > 1 && f.roomToProve(m.Bytes())
	if cpu := f.Backends[max(0, len(f.Backends)-1):]; prove {
		if err := m.Prepare(ctx, progress, cpu); err != nil {
			return proof, err
		}
		if want, err = m.Golden(ctx, cpu); err != nil {
			return proof, err
		}
		m.Forget()
	}
	err = f.Somewhere(func() error {
		if err := m.Prepare(ctx, progress, f.Backends); err != nil {
			return err
		}
		if len(f.Backends) == 1 || !prove || !Finite(want) { // of a model that gives no numbers the user hears otherwise
			return nil
		}
		got, err := m.Golden(ctx, f.Backends)
		if err != nil {
			return err
		}
		if proof = compare(f.Backends[0], got, want, m.Quantized()); proof.Reason != "" {
			return &unproven{proof}
		}
		return nil
	})
	return proof, err
}

// roomToProve reports whether the processor can hold the weights for a while
// without driving other programs out of memory.
func (f *List) roomToProve(bytes int64) bool {
	free := f.Free()
	if free <= 0 { // unknown
		free = int64(f.Backends[len(f.Backends)-1].Device().MemoryBytes / 2)
	}
	return free <= 0 || bytes <= free
}

// HasBlocks reports whether a recorded pass has weights in block types.
func HasBlocks(g *engine.Graph) bool {
	for w := range WeightsOf(g) {
		if w.DType.Quantized() {
			return true
		}
	}
	return false
}

// compare compares a device's results with those of the CPU.
func compare(b engine.Backend, got, want []float32, quantized bool) Proof {
	p := Proof{Device: b.Device().ID, Difference: apartness(got, want)}
	limit := plainDifference
	if quantized {
		limit = quantizedDifference
	}
	if !(p.Difference <= limit) {
		p.Reason = fmt.Sprintf("gives other results than the CPU for this model (they are %.2g apart, %.2g would be rounding)", p.Difference, limit)
	}
	return p
}

// apartness is the mean squared error of a by the variance of b.
func apartness(a, b []float32) float64 {
	var mean, errors, variance float64
	for _, v := range b {
		mean += float64(v) / float64(len(b))
	}
	for i, v := range b {
		e, d := float64(a[i])-float64(v), float64(v)-mean
		errors += e * e
		variance += d * d
	}
	if errors == 0 {
		return 0
	}
	return errors / variance
}

// GoldenIDs are a few ids that every model knows.
func GoldenIDs(n, vocab int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32((3 + 7*i) % max(1, vocab))
	}
	return ids
}
