package engine_test

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/engine"
)

// layout is a prepared weight that records when it is closed.
type layout struct {
	closed int
	err    error
}

func (l *layout) Close() error {
	l.closed++
	return l.err
}

type key struct{ backend, kind string }

func TestPreparedIsBuiltOnce(t *testing.T) {
	w := weight("w", 2, 2)
	var mu sync.Mutex
	built := map[key]int{}
	var wg sync.WaitGroup
	for i := range 64 {
		k := key{"cpu", []string{"rows", "panels"}[i%2]}
		wg.Go(func() {
			v, err := w.Prepared(k, func() (io.Closer, error) {
				time.Sleep(time.Millisecond) // long enough for a second goroutine to start building
				mu.Lock()
				built[k]++
				mu.Unlock()
				return &layout{}, nil
			})
			if err != nil || v == nil {
				t.Errorf("Prepared gives %v, %v", v, err)
			}
		})
	}
	wg.Wait()
	if built[key{"cpu", "rows"}] != 1 || built[key{"cpu", "panels"}] != 1 {
		t.Errorf("built %v", built)
	}
}

func TestPreparedDoesNotKeepErrors(t *testing.T) {
	w := weight("encoder.w", 2, 2)
	broken := errors.New("no memory")
	_, err := w.Prepared("cpu", func() (io.Closer, error) { return nil, broken })
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "encoder.w") {
		t.Errorf("the error is %v", err)
	}
	want := &layout{}
	got, err := w.Prepared("cpu", func() (io.Closer, error) { return want, nil })
	if err != nil || got != want {
		t.Errorf("the second try gives %v, %v", got, err)
	}
}

func TestReleaseClosesEverything(t *testing.T) {
	w := weight("w", 2, 2)
	stuck := errors.New("stuck")
	layouts := map[string]*layout{"a": {}, "b": {err: stuck}, "c": {}}
	prepare := func() {
		for k, l := range layouts {
			if _, err := w.Prepared(k, func() (io.Closer, error) { return l, nil }); err != nil {
				t.Fatal(err)
			}
		}
	}
	prepare()
	if err := w.Release(); !errors.Is(err, stuck) {
		t.Errorf("Release: %v", err)
	}
	if err := w.Release(); err != nil {
		t.Errorf("a second Release: %v", err)
	}
	for k, l := range layouts {
		if l.closed != 1 {
			t.Errorf("%s was closed %d times", k, l.closed)
		}
	}
	prepare() // a released weight can be prepared again
	_ = w.Release()
	for k, l := range layouts {
		if l.closed != 2 {
			t.Errorf("%s was closed %d times in two rounds", k, l.closed)
		}
	}
}

func TestOnlyWeightsArePrepared(t *testing.T) {
	m := newMaterial()
	if _, err := m.x.Prepared("cpu", nil); err == nil || !strings.Contains(err.Error(), "x is not a weight") {
		t.Errorf("an input is prepared: %v", err)
	}
	if err := m.x.Release(); err != nil {
		t.Errorf("Release of an input: %v", err)
	}
	if m.x.Source() != nil || m.w.Source() == nil {
		t.Error("an input has a source, or a weight has none")
	}
	if m.w.InputBytes() != nil || len(m.x.InputBytes()) != m.x.Bytes() {
		t.Error("a weight has input bytes, or an input has not")
	}
}

func TestSizes(t *testing.T) {
	for d, bytes := range map[engine.DType]int{engine.F32: 24, engine.F16: 12, engine.BF16: 12, engine.I32: 24} {
		w := engine.NewWeight("w", d, 2, 3, nil)
		if w.Bytes() != bytes || w.Len() != 6 {
			t.Errorf("%s: %d bytes, %d elements", d, w.Bytes(), w.Len())
		}
	}
	for d, bytes := range map[engine.DType]int{engine.Q4_0: 3 * 8 * 18, engine.Q8_0: 3 * 8 * 34, engine.Q4_K: 3 * 144, engine.IQ4_XS: 3 * 136} {
		w := engine.NewWeight("w", d, 3, 256, nil)
		if w.Bytes() != bytes || w.Len() != 3*256 || !d.Quantized() {
			t.Errorf("%s: %d bytes, %d elements, in blocks: %v", d, w.Bytes(), w.Len(), d.Quantized())
		}
	}
}
