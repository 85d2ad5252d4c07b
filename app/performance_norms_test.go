package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"inglenook/app/devices"
	"inglenook/app/measure"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/engine/probe"
)

// Both norms have a point for each number of rows on each target. A target that differs only
// in its weights has none of its own. If a busy machine makes them stop early, a note says
// where.
func TestMeasureNorms(t *testing.T) {
	a := compatApp(t)
	got, err := a.Measure(t.Context(), measure.Request{
		Model: "../pipeline/testdata/cls", Targets: []devices.Target{{Device: "cpu", Threads: 1}, {Device: "cpu", Threads: 1, Hold: devices.Hold{Weights: "q8_0"}}, {Device: "cpu", Threads: 2}}, Norms: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got.Rows {
		if i == 1 {
			if len(r.Norms) != 0 {
				t.Errorf("the norms are measured again for other weights: %d points", len(r.Norms))
			}
			continue
		}
		whole := len(r.Norms) == 2*13
		stopped := strings.Contains(strings.Join(r.Notes, "\n"), fmt.Sprintf("stop before %d rows", 1<<(len(r.Norms)/2)))
		if whole == stopped || r.Failed != "" {
			t.Fatalf("row %d has %d points (%s %v)", i, len(r.Norms), r.Failed, r.Notes)
		}
		for k, p := range r.Norms {
			if p.Rows != 1<<(k/2) || p.Op != probe.Norms()[k%2].String() || p.Median <= 0 || p.P10 > p.Median || p.P90 < p.Median || p.BytesPerS <= 0 {
				t.Errorf("row %d, point %d: %+v", i, k, p)
			}
		}
		if !whole {
			t.Logf("row %d: %v", i, r.Notes)
			continue
		}
		if few, many := r.Norms[0].Median, r.Norms[len(r.Norms)-2].Median; many <= few {
			t.Errorf("row %d: 4096 rows take %v µs, one takes %v", i, many, few)
		}
	}
}

// normsAlone returns a request for only the norms on a device.
func normsAlone(device string) measure.Request {
	return measure.Request{Targets: []devices.Target{{Device: device}}, Amounts: measure.Amounts{Repeat: 1}, Norms: true}
}

// An operation without a kernel on a device becomes a note and is not measured on the CPU.
func TestNormsWithoutAKernel(t *testing.T) {
	a := compatApp(t)
	withDevice(a, func() (engine.Backend, error) {
		return &enginetest.ReferenceBackend{ID: "gpu", Refuses: []engine.Op{engine.OpLayerNorm}}, nil
	})
	got, err := a.Measure(t.Context(), normsAlone("gpu"), nil)
	if err != nil {
		t.Fatal(err)
	}
	row := got.Rows[0]
	if len(row.Norms) != 0 || len(row.Notes) != 1 || !strings.Contains(row.Notes[0], "layer_norm") {
		t.Errorf("points %v, notes %q", row.Norms, row.Notes)
	}
}

func TestNormsEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := compatApp(t)
	cpu, err := a.Backends("cpu")
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	start := time.Now()
	_, err = a.Measure(ctx, normsAlone("cpu"), nil)
	if !errors.Is(err, context.Canceled) || time.Since(start) > soon {
		t.Errorf("it ended after %v with %v", time.Since(start), err)
	}
	if _, err := probe.Norm(ctx, cpu[0], engine.OpLayerNorm, 4096); !errors.Is(err, context.Canceled) {
		t.Errorf("once cancelled: %v", err)
	}
}
