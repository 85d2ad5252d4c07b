package selfcheck_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/engine/selfcheck"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func processor(t *testing.T, id, isa string) engine.Backend {
	t.Helper()
	b, err := cpubackend.New(cpubackend.Options{ID: id, ISA: isa, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// Every operation is checked, with every type of weights or caches that it can have.
func TestEverythingIsTried(t *testing.T) {
	list, err := selfcheck.Run(t.Context(), processor(t, "gpu", "generic"), processor(t, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	types := map[engine.Op]int{}
	for _, f := range list {
		types[f.Op]++
		if f.Wrong() || f.Refused != "" || f.Probes == 0 {
			t.Errorf("%v: %+v", f, f)
		}
	}
	for _, op := range engine.Ops() {
		want := map[engine.Op]int{
			engine.OpLinear: len(engine.WeightTypes()), engine.OpEmbed: len(engine.WeightTypes()), engine.OpExperts: len(engine.WeightTypes()), engine.OpCausalAttention: 3, engine.OpCrossAttention: 3,
			engine.OpLayerNorm: 3, engine.OpRMSNorm: 3, engine.OpAttention: 3,
			engine.OpCausalConv: 3, engine.OpDeltaRule: 3,
		}[op]
		if types[op] != max(1, want) {
			t.Errorf("%s is tried in %d types, want %d", op, types[op], max(1, want))
		}
	}
}

// The float64 reference agrees with the processor's kernels.
func TestReference(t *testing.T) {
	list, err := selfcheck.Run(t.Context(), &enginetest.ReferenceBackend{ID: "gpu"}, processor(t, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if f.Wrong() {
			t.Error(f)
		}
	}
}

// wrong spoils results of one operation.
type wrong struct {
	engine.Backend
	op    engine.Op
	dtype engine.DType
	spoil func(values []byte)
}

func (w *wrong) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	for _, op := range ops { // one by one, before their memory is reused
		if err := w.Backend.Submit(ctx, arena, []*engine.Tensor{op}); err != nil {
			return err
		}
		if op.Op == w.op && (op.Op != engine.OpLinear || op.Src[1].DType == w.dtype) {
			w.spoil(arena.Bytes()[op.Offset : op.Offset+op.Bytes()])
		}
	}
	return nil
}

// A kernel that is wrong in one value is found, and no other is blamed.
func TestOneWrongKernel(t *testing.T) {
	for name, spoil := range map[string]func([]byte){
		"a value of 0": func(v []byte) {
			largest, at := float32(0), 0
			for i := 0; i < len(v); i += 4 {
				if x := math.Float32frombits(binary.NativeEndian.Uint32(v[i:])); x > largest {
					largest, at = x, i
				}
			}
			clear(v[at : at+4])
		},
		"a value that is no number": func(v []byte) { binary.NativeEndian.PutUint32(v, 0x7fc00000) },
		"a value of another sign":   func(v []byte) { clear(v[len(v)/2:]) },
	} {
		for _, c := range []struct {
			op    engine.Op
			dtype engine.DType
		}{{engine.OpLinear, engine.Q4_K}, {engine.OpPool, engine.F32}} {
			list, err := selfcheck.Run(t.Context(), &wrong{processor(t, "gpu", ""), c.op, c.dtype, spoil}, processor(t, "", ""))
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for _, f := range list {
				if !f.Wrong() {
					continue
				}
				found++
				if f.Op != c.op || f.DType != c.dtype || !strings.Contains(f.String(), "differs from the CPU's by") {
					t.Errorf("%s of %s in %s: %v", name, c.op, c.dtype, f)
				}
			}
			if found != 1 {
				t.Errorf("%s of %s in %s: %d findings", name, c.op, c.dtype, found)
			}
		}
	}
}

// Operations without a kernel are reported, a failing device is an error, and Close
// frees everything.
func TestRefusedAndFailed(t *testing.T) {
	refuses := &enginetest.ReferenceBackend{ID: "gpu", Refuses: []engine.Op{engine.OpRoPE}}
	list, err := selfcheck.Run(t.Context(), refuses, processor(t, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if (f.Refused != "") != (f.Op == engine.OpRoPE) || f.Wrong() {
			t.Errorf("%+v", f)
		}
	}
	for _, fault := range enginetest.Faults() {
		faulty := &enginetest.Faulty{Backend: processor(t, "gpu", "")}
		faulty.Arm(fault, enginetest.AtSubmit, 0)
		list, err := selfcheck.Run(t.Context(), faulty, processor(t, "", ""))
		bad := 0
		for _, f := range list {
			if f.Wrong() {
				bad++
			}
		}
		var failed *engine.DeviceError
		switch fault {
		case enginetest.Zeros, enginetest.NaNs, enginetest.FlippedValue:
			if err != nil || bad == 0 {
				t.Errorf("%s: %d wrong, %v", fault, bad, err)
			}
		default:
			if !errors.As(err, &failed) {
				t.Errorf("%s: %v", fault, err)
			}
		}
		if faulty.Open() != 0 {
			t.Errorf("%s: %d arenas are left", fault, faulty.Open())
		}
		faulty.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := selfcheck.Run(ctx, refuses, processor(t, "", "")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
