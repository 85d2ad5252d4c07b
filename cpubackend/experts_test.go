package cpubackend

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"inglenook/engine"
)

// inDisk is the source of a weight in a file.
type inDisk struct {
	io.ReaderAt
	file    *os.File
	changed error
	held    int
}

func (d *inDisk) Map() (engine.Mapping, int64) { d.held++; return d, 64 }
func (d *inDisk) Address() (uintptr, int64)    { return 0, 0 }
func (d *inDisk) Changed() error               { return d.changed }
func (d *inDisk) Release() error               { d.held--; return nil }
func (d *inDisk) File() *os.File               { return d.file }

// recordExperts records a product of every row with two of the experts, and a second one with
// a part for each slot.
func recordExperts(g *engine.Graph, w, next *engine.Tensor, rows, experts int) *engine.Tensor {
	logits := make([]float32, rows*experts)
	for i := range logits {
		logits[i] = float32(i * 7 % 13)
	}
	routes := g.Route(g.Floats("logits", rows, logits), nil, nil, engine.RouteParams{TopK: 2})
	x := make([]float32, rows*w.Cols)
	for i := range x {
		x[i] = float32(i*5%11-5) / 8
	}
	return g.Mix(g.Experts(g.Experts(g.Floats("x", rows, x), routes, w, nil), routes, next, nil), routes)
}

// TestExpertsInFile: experts that are left in their file give the results of those in
// memory, bit for bit, in every type and with every instruction set. They take no memory
// beside that for one weight.
func TestExpertsInFile(t *testing.T) {
	const experts, out, cols = 5, 256 + 13, 256
	for _, isa := range ISAs() {
		b := open(t, Options{Threads: 2, ISA: isa})
		for _, d := range engine.WeightTypes() {
			t.Run(fmt.Sprint(isa, "/", d), func(t *testing.T) {
				weight := func(name string, rows, cols int) (inMemory, inFile *engine.Tensor, disk *inDisk) {
					line := d.RowBytes(cols)
					data := make([]byte, experts*rows*line)
					if _, err := randomWeight(name, d, experts*rows, cols).Source().ReadAt(data, 0); err != nil && err != io.EOF {
						t.Fatal(err)
					}
					path := filepath.Join(t.TempDir(), name)
					// each matrix behind three rows of another one
					stored := make([]byte, 64)
					for e := range experts {
						stored = append(stored, make([]byte, 3*line)...)
						stored = append(stored, data[e*rows*line:][:rows*line]...)
					}
					if err := os.WriteFile(path, stored, 0o600); err != nil {
						t.Fatal(err)
					}
					f, err := os.Open(path)
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { f.Close() })
					disk = &inDisk{ReaderAt: bytes.NewReader(nil), file: f}
					inMemory = engine.NewStack(name, d, experts, rows, cols, bytes.NewReader(data))
					inFile = engine.NewStack(name, d, experts, rows, cols, bytes.NewReader(nil))
					inFile.SetPlace(disk, int64(3*line), int64((rows+3)*line))
					if !inFile.LeaveInFile(true) || inMemory.LeaveInFile(true) || inMemory.InFile() {
						t.Fatal("the wrong weight is left")
					}
					return inMemory, inFile, disk
				}
				up, upIn, upDisk := weight("up", out-13, cols)
				down, downIn, downDisk := weight("down.longer", out, out-13)
				run := func(rows int, w, next *engine.Tensor) ([]float32, error) {
					g := engine.NewGraph()
					defer g.Close()
					y := g.Want(recordExperts(g, w, next, rows, experts))
					if f := b.Footprint(g.Ops()); (f.Weights == 0) != w.InFile() {
						t.Errorf("the weights take %d bytes", f.Weights)
					}
					if _, err := g.Run(t.Context(), b); err != nil {
						return nil, err
					}
					y2, err := g.Result(y)
					return slices.Clone(y2), err
				}
				for _, rows := range []int{1, 2, 40} {
					want, err := run(rows, up, down)
					if err != nil {
						t.Fatal(err)
					}
					if got, err := run(rows, upIn, downIn); err != nil || !slices.Equal(got, want) {
						t.Errorf("%d rows: %v, other results", rows, err)
					}
				}

				var unread *engine.WeightError
				upDisk.changed = errors.New("the file is another one")
				if _, err := run(1, upIn, downIn); !errors.As(err, &unread) || !errors.Is(err, upDisk.changed) {
					t.Errorf("a file that changed: %v", err)
				}
				upDisk.changed = nil
				if err := os.Truncate(downDisk.file.Name(), 200); err != nil {
					t.Fatal(err)
				}
				if _, err := run(40, upIn, downIn); !errors.As(err, &unread) || !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("a file that was cut short: %v", err)
				}
				for _, w := range []*engine.Tensor{up, down, upIn, downIn} {
					if err := w.Release(); err != nil {
						t.Error(err)
					}
				}
				if upDisk.held != 0 || downDisk.held != 0 {
					t.Error("a file is still held")
				}
			})
		}
	}
}
