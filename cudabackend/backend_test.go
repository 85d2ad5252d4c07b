package cudabackend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"inglenook/cudabackend/driver"
	"inglenook/cudabackend/fake"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu"
	"inglenook/gpu/emulator"
	"inglenook/gpu/msl"
	"inglenook/metalbackend/kernels"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestUnsuitable opens machines without a card that can be used: each is one sentence.
func TestUnsuitable(t *testing.T) {
	for want, change := range map[string]func(f *fake.Fake){
		"finds no GPU":            func(f *fake.Fake) { f.Cards = 0 },
		"NVIDIA's driver finds":   func(f *fake.Fake) { f.Fail("cuInit", driver.NoDevice, 0, false) },
		"compute capability 6.1":  func(f *fake.Fake) { f.Major, f.Minor = 6, 1 },
		"which no model fits in":  func(f *fake.Fake) { f.Bytes = 128 << 20 },
		"cuDeviceGetName: error":  func(f *fake.Fake) { f.Fail("cuDeviceGetName", 999, 0, false) },
		"cuDevicePrimaryCtxRetai": func(f *fake.Fake) { f.Fail("cuDevicePrimaryCtxRetain", 2, 0, false) },
		"cuStreamCreate":          func(f *fake.Fake) { f.Fail("cuStreamCreate", 2, 0, false) },
	} {
		f := fake.New(nil)
		change(f)
		b, err := New(Options{Driver: f.API(), Compile: fake.Compile})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		if b != nil {
			t.Errorf("%s: there is a backend", want)
		}
		if err := f.Problems(); err != nil {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestNoRoom: memory that the card refuses is an error of its own kind, and the card
// goes on.
func TestNoRoom(t *testing.T) {
	b, f := faked(t)
	if _, err := b.Alloc(int(f.Bytes) + 1); !errors.As(err, new(*engine.NoRoomError)) || !strings.Contains(err.Error(), "8192 MB are free") {
		t.Errorf("%v", err)
	}
	m, err := b.Alloc(100)
	if err != nil {
		t.Fatal(err)
	}
	if taken := b.Taken(); taken != 100 {
		t.Errorf("%d bytes are taken", taken)
	}
	for range 2 {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	if taken := b.Taken(); taken != 0 {
		t.Errorf("%d bytes are taken", taken)
	}
}

// TestMemory reads and writes at every edge of a memory.
func TestMemory(t *testing.T) {
	b, _ := faked(t)
	m, err := b.Alloc(8)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Bytes() != nil {
		t.Error("the host sees the card's memory")
	}
	for off := int64(-1); off <= 9; off++ {
		for n := 0; n <= 9; n++ {
			p := make([]byte, n)
			got, err := m.WriteAt(p, off)
			read, failed := m.ReadAt(p, off)
			within := off >= 0 && off+int64(n) <= 8
			if got != read || within != (err == nil) || within != (failed == nil) || within && got != n || got > max(0, int(8-off)) {
				t.Errorf("%d bytes at %d: %d written, %v; %d read, %v", n, off, got, err, read, failed)
			}
		}
	}
}

// TestRefusedKernel: operations whose kernel the compiler refuses run elsewhere, with the
// reason; the others stay on the card.
func TestRefusedKernel(t *testing.T) {
	e, err := emulator.Open("")
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	f := fake.New(e)
	compile := func(p *msl.Program, k *msl.Kernel, constants map[int]int32, source, arch string) ([]byte, error) {
		if strings.HasPrefix(k.Name, "soft_cap") {
			return nil, errors.New("a planted mistake")
		}
		return fake.Compile(p, k, constants, source, arch)
	}
	b, err := New(Options{Driver: f.API(), Compile: compile})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	model := enginetest.Decoder{Layers: 1, Hidden: 256, Heads: 8, KVHeads: 2, Inner: 512, Vocab: 96, Weights: engine.F32, Cache: engine.F32, Capacity: 40}.Load()
	defer model.Release()
	g := engine.NewGraph()
	defer g.Close()
	model.Record(g, 5)
	report, err := g.Run(t.Context(), b, &enginetest.ReferenceBackend{})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := 0
	for _, p := range report.Placements {
		if p.Device != b.Device().ID {
			elsewhere++
			if p.Op != engine.OpSoftCap || len(p.Refused) != 1 || !strings.Contains(p.Refused[0].Reason, "a planted mistake") {
				t.Errorf("%+v", p)
			}
		}
	}
	if elsewhere == 0 {
		t.Errorf("nothing runs elsewhere: %+v", report)
	}
}

// TestClosed: a closed backend refuses work, and its memory can still be closed.
func TestClosed(t *testing.T) {
	b, _ := faked(t)
	m, err := b.Alloc(8)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(b.Close(), b.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	if _, err := b.Alloc(8); !errors.Is(err, errClosed) {
		t.Errorf("%v", err)
	}
	if err := b.Wait(context.Background(), m); !errors.Is(err, errClosed) {
		t.Errorf("%v", err)
	}
}

// TestKept compiles once, and anew where a file is damaged at any byte or cut.
func TestKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "cuda")
	k := &kept{folder: filepath.Join(folder, "sm_90-new")}
	if err := os.MkdirAll(filepath.Join(folder, "sm_90-old"), 0o700); err != nil {
		t.Fatal(err)
	}
	compiled := 0
	code := func() string {
		b, err := k.code("linear_vec_q4_k", "1=0 12=3", func() ([]byte, error) { compiled++; return []byte("code"), nil })
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for range 2 {
		if got := code(); got != "code" || compiled != 1 {
			t.Errorf("%q, compiled %d times", got, compiled)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) != 1 {
		t.Errorf("an older version's folder is left: %v", left)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		damaged := append([]byte{}, whole...)
		damaged[i] ^= 1
		for _, data := range [][]byte{damaged, whole[:i]} {
			if err := os.WriteFile(files[0], data, 0o600); err != nil {
				t.Fatal(err)
			}
			before := compiled
			if code() != "code" || compiled != before+1 {
				t.Errorf("%d bytes, byte %d: compiled %d times", len(data), i, compiled-before)
			}
		}
	}
}

// TestWithoutCompiler: where the compiler is gone, kernels that were kept run, another one is
// refused with the reason, and without any the sentence says what to install.
func TestWithoutCompiler(t *testing.T) {
	e, err := emulator.Open("")
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "a[b]*")
	gone := func() (string, error) { return "", errors.New("no library") }
	f := fake.New(e)
	open := func(version Version) (*Backend, error) {
		return New(Options{Driver: f.API(), Compile: fake.Compile, Version: version, Folder: folder})
	}
	scale := func(b *Backend) error {
		g := engine.NewGraph()
		defer g.Close()
		out := g.Want(g.Scale(g.Floats("x", 2, []float32{1, 2, 3, 4}), 2))
		if _, err := g.Run(t.Context(), b); err != nil {
			return err
		}
		got, err := g.AppendResult(nil, out)
		if err == nil && !slices.Equal(got, []float32{2, 4, 6, 8}) {
			return fmt.Errorf("twice 1 to 4 is %v", got)
		}
		return err
	}
	var unsuitable *UnsuitableError
	if _, err := open(gone); !errors.As(err, &unsuitable) || !strings.Contains(err.Error(), "NVRTC, which is not installed") {
		t.Fatalf("nothing is kept: %v", err)
	}
	if _, err := open(func() (string, error) { return "14.1", nil }); !errors.As(err, &unsuitable) || !strings.Contains(err.Error(), "older than its compiler library NVRTC 14.1") {
		t.Errorf("a compiler that is newer than the driver: %v", err)
	}
	for _, version := range []Version{func() (string, error) { return "13.0", nil }, gone} {
		b, err := open(version)
		if err != nil {
			t.Fatal(err)
		}
		if err := scale(b); err != nil {
			t.Error(err)
		}
		if _, err := version(); err != nil {
			g := engine.NewGraph()
			x := g.Floats("x", 2, []float32{1, 2, 3, 4})
			g.Want(g.SoftCap(x, 2))
			if _, err := g.Run(t.Context(), b); !errors.Is(err, engine.ErrNoKernel) || !strings.Contains(err.Error(), "not kept from before") {
				t.Errorf("a kernel that is not kept: %v", err)
			}
			if err := errors.Join(g.Close(), scale(b)); err != nil {
				t.Errorf("after that: %v", err)
			}
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := f.Problems(); err != nil {
		t.Error(err)
	}
}

// TestCancelledWhileCompiling: who waits for a kernel goes on when the context ends.
func TestCancelledWhileCompiling(t *testing.T) {
	program, err := msl.Parse(kernels.Source())
	if err != nil {
		t.Fatal(err)
	}
	release := make(chan struct{})
	l := newLibrary(program, func(*msl.Program, *msl.Kernel, map[int]int32, string, string) ([]byte, error) {
		<-release
		return []byte{0}, nil
	}, &kept{}, &driver.Card{}, false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k := l.start(&gpu.Kernel{Name: program.Kernels[0].Name})
	if err := l.wait(ctx, k); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(release)
	if err := l.wait(t.Context(), k); err != nil {
		t.Errorf("%v", err)
	}
	l.close()
}

// TestStaged: what is read is the same with and without memory that the card writes itself, of
// every size at which that memory grows or no longer serves.
func TestStaged(t *testing.T) {
	for _, refused := range []bool{false, true} {
		b, f := faked(t)
		if refused {
			f.Fail("cuMemAllocHost", driver.OutOfMemory, 0, false)
		}
		m, err := b.Alloc(mostStaged + 1)
		if err != nil {
			t.Fatal(err)
		}
		sent := make([]byte, mostStaged+1)
		for i := range sent {
			sent[i] = byte(i*7 + i>>8)
		}
		if _, err := m.WriteAt(sent, 0); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 64 << 10, 64<<10 + 1, 5, 1 << 20, mostStaged - 1, mostStaged, mostStaged + 1} {
			got := make([]byte, n)
			if _, err := m.ReadAt(got, int64(len(sent)-n)); err != nil || !bytes.Equal(got, sent[len(sent)-n:]) {
				t.Errorf("refused %v: %d bytes differ, %v", refused, n, err)
			}
		}
		if got := f.Calls("cuMemAllocHost"); refused != (got == 1) {
			t.Errorf("refused %v: memory was asked for %d times", refused, got)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}
