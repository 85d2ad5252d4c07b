package weights

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"inglenook/engine"
)

func TestTensor(t *testing.T) {
	s := mustOpen(t, single(sample()), Options{})
	cases := []struct {
		name       string
		dtype      engine.DType
		rows, cols int
		err        string
	}{
		{name: "embeddings.word_embeddings.weight", dtype: engine.F32, rows: 16, cols: 8},
		{name: "encoder.layer.0.attention.self.query.weight", dtype: engine.F16, rows: 8, cols: 8},
		{name: "encoder.layer.0.attention.self.query.bias", dtype: engine.F16, rows: 1, cols: 8},
		{name: "encoder.layer.0.attention.output.LayerNorm.gamma", dtype: engine.BF16, rows: 1, cols: 8},
		{name: "encoder.layer.0.attention.output.LayerNorm.weight", dtype: engine.BF16, rows: 1, cols: 8},
		{name: "encoder.layer.0.attention.output.LayerNorm.bias", dtype: engine.BF16, rows: 1, cols: 8},
		{name: "scale", dtype: engine.F32, rows: 1, cols: 1},
		{name: "nothing", dtype: engine.F32, rows: 0, cols: 8},
		{name: "kernel", dtype: engine.F32, rows: 2, cols: 12},
		{name: "embeddings.position_ids", err: "holds I64 numbers"},
		{name: "quantized", err: "holds F8_E4M3 numbers"},
		{name: "packed", err: "holds F4 numbers"},
		{name: "absent", err: "holds no tensor absent"},
		{name: "", err: `holds no tensor ""`},
		{name: "__metadata__", err: "holds no tensor __metadata__"},
		{name: "encoder.layer.0.attention.output.LayerNorm.other", err: "holds no tensor"},
	}
	for _, c := range cases {
		w, err := s.Tensor(c.name)
		if c.err != "" {
			if err == nil {
				t.Errorf("%s was given", c.name)
				continue
			}
			checkSentence(t, err, c.err)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if w.DType != c.dtype || w.Rows != c.rows || w.Cols != c.cols || w.Op != engine.OpWeight {
			t.Errorf("%s is %v %v [%d %d]", c.name, w.Op, w.DType, w.Rows, w.Cols)
		}
		if again, err := s.Tensor(c.name); again != w || err != nil {
			t.Errorf("%s is another tensor the second time: %v", c.name, err)
		}
		// The sources hold counting bytes, except for F64.
		got := make([]byte, w.Bytes())
		if n, err := w.Source().ReadAt(got, 0); n != len(got) || (err != nil && err != io.EOF) {
			t.Errorf("%s: %d of %d bytes, %v", c.name, n, len(got), err)
		}
		if c.name != "scale" && !slices.Equal(got, counting(len(got))) {
			t.Errorf("%s holds % x", c.name, got)
		}
		if n, err := w.Source().ReadAt(make([]byte, 1), int64(w.Bytes())); n != 0 || err != io.EOF {
			t.Errorf("%s: %d bytes beyond its end, %v", c.name, n, err)
		}
	}
}

func TestSpellingsShareOneTensor(t *testing.T) {
	s := mustOpen(t, single(sample()), Options{})
	old, err1 := s.Tensor("encoder.layer.0.attention.output.LayerNorm.gamma")
	now, err2 := s.Tensor("encoder.layer.0.attention.output.LayerNorm.weight")
	if old != now || err1 != nil || err2 != nil {
		t.Errorf("%p %p %v %v", old, now, err1, err2)
	}
}

func TestInfo(t *testing.T) {
	data := sample()
	s := mustOpen(t, single(data), Options{})
	names := s.Names()
	if len(names) != 11 || !slices.IsSorted(names) {
		t.Errorf("names %q", names)
	}
	var total int64
	for _, name := range names {
		info, ok := s.Info(name)
		if !ok || info.File != singleFile || info.Offset < 8 || info.Offset+info.Bytes > int64(len(data)) {
			t.Errorf("%s: %+v", name, info)
		}
		if !slices.Equal(data[info.Offset:info.Offset+info.Bytes], counting(int(info.Bytes))) {
			t.Errorf("%s is not at %d", name, info.Offset)
		}
		total += info.Bytes
	}
	if s.Bytes() != total {
		t.Errorf("%d bytes, want %d", s.Bytes(), total)
	}
	if m := s.Metadata(); len(m) != 2 || m["format"] != "pt" || m["note"] != `a "quoted" word, é and 😀` {
		t.Errorf("metadata %q", m)
	}
	if _, ok := s.Info("absent"); ok {
		t.Error("an absent tensor is described")
	}
}

func TestRounded(t *testing.T) {
	values := []float64{0, 1, -1.5, math.Pi, 1e-50, 1e300, math.Inf(-1), 1 + 1e-9}
	for len(values) < 1500 {
		values = append(values, math.Sin(float64(len(values))))
	}
	var wide, narrow []byte
	for _, v := range values {
		wide = binary.LittleEndian.AppendUint64(wide, math.Float64bits(v))
		narrow = binary.LittleEndian.AppendUint32(narrow, math.Float32bits(float32(v)))
	}
	s := mustOpen(t, single(encode("", tensor{"w", "F64", []int{len(values)}, wide})), Options{})
	w, err := s.Tensor("w")
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range []int{0, 1, 3, 4, 5, 17, 2048, 2049, 4096, len(narrow)} {
		for _, off := range []int{0, 1, 2, 3, 4, 7, 1000, len(narrow) - length} {
			got := make([]byte, length)
			n, err := w.Source().ReadAt(got, int64(off))
			want := narrow[off:min(off+length, len(narrow))]
			if !slices.Equal(got[:n], want) || (n < length) != (err == io.EOF) {
				t.Fatalf("%d bytes at %d: %d read, %v", length, off, n, err)
			}
		}
	}
}

func TestClose(t *testing.T) {
	s, err := Open(single(sample()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Tensor("kernel")
	if err != nil {
		t.Fatal(err)
	}
	var copied closer
	if _, err := w.Prepared("a backend", func() (io.Closer, error) { return &copied, nil }); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil || copied != 1 {
		t.Errorf("the prepared copy was closed %d times, %v", copied, err)
	}
	if _, err := w.Source().ReadAt(make([]byte, 4), 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("reading after Close: %v", err)
	}
	if _, err := s.Tensor("kernel"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("asking after Close: %v", err)
	}
}

type closer int

func (c *closer) Close() error { *c++; return nil }

// TestCloseWaits closes a set while many goroutines read from it: each read returns the
// right bytes or an error.
func TestCloseWaits(t *testing.T) {
	for _, noMap := range []bool{false, true} {
		for range 8 {
			dir := onDisk(t, 1<<20)
			s, err := Open(dir.FS(), Options{NoMap: noMap})
			if err != nil {
				t.Fatal(err)
			}
			w, err := s.Tensor("w")
			if err != nil {
				t.Fatal(err)
			}
			var started, readers sync.WaitGroup
			for g := range 4 {
				started.Add(1)
				readers.Go(func() {
					p := make([]byte, 1<<20-4*4096)
					off := g * 4096
					for first := true; ; first = false {
						_, err := w.Source().ReadAt(p, int64(off))
						if first {
							started.Done()
						}
						if errors.Is(err, fs.ErrClosed) {
							return
						}
						if err != nil || p[1] != byte(off+1) || p[len(p)-1] != byte(off+len(p)-1) {
							t.Errorf("wrong bytes or %v", err)
							return
						}
					}
				})
			}
			started.Wait()
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			readers.Wait()
		}
	}
}

func TestScope(t *testing.T) {
	s := mustOpen(t, single(sample()), Options{})
	c := s.Scope()
	if w := c.In("embeddings").Matrix("word_embeddings.weight", 0, 8); w.Rows != 16 {
		t.Errorf("%d rows", w.Rows)
	}
	layer := c.In("encoder").In("layer.0").In("")
	layer.Matrix("attention.self.query.weight", 8, 8)
	layer.Vector("attention.self.query.bias", 8)
	norm := layer.In("attention.output.LayerNorm")
	norm.Vector("weight", 8)
	norm.Vector("bias", 0)
	c.Matrix("kernel", 2, 12)
	if !layer.Has("attention.self.query.bias") || layer.Has("attention.self.key.bias") || layer.Has("scale") {
		t.Error("presence is not told right")
	}
	if err := layer.Err(); err != nil {
		t.Error(err)
	}
}

func TestScopeErrors(t *testing.T) {
	cases := []struct {
		name string
		ask  func(c *Scope)
		want []string
	}{
		{"one missing", func(c *Scope) { c.In("pooler").Vector("dense.bias", 8) }, []string{"1 tensor is missing (pooler.dense.bias)"}},
		{"asked twice", func(c *Scope) { c.Vector("x", 8); c.Vector("x", 8) }, []string{"1 tensor is missing (x)"}},
		{"two missing", func(c *Scope) { c.Matrix("x", 1, 1); c.In("a.b").Matrix("y", 0, 0) }, []string{"2 tensors are missing (x, a.b.y)"}},
		{"many missing", func(c *Scope) {
			for i := range 100 {
				c.In(fmt.Sprint("layer.", i)).Vector("w", 8)
			}
		}, []string{"100 tensors are missing (layer.0.w, ", "layer.7.w and 92 more)"}},
		{"rows", func(c *Scope) { c.Matrix("embeddings.word_embeddings.weight", 17, 8) }, []string{"1 of another shape than config.json says (embeddings.word_embeddings.weight is [16 8] instead of [17 8])"}},
		{"columns", func(c *Scope) { c.Matrix("embeddings.word_embeddings.weight", 0, 9) }, []string{"[16 8] instead of [- 9]"}},
		{"transposed", func(c *Scope) { c.Matrix("embeddings.word_embeddings.weight", 8, 16) }, []string{"[16 8] instead of [8 16]"}},
		{"a vector that is a matrix", func(c *Scope) { c.Vector("embeddings.word_embeddings.weight", 8) }, []string{"[16 8] instead of [1 8]"}},
		{"a vector of another length", func(c *Scope) { c.Vector("encoder.layer.0.attention.self.query.bias", 9) }, []string{"[8] instead of [1 9]"}},
		{"rank 3", func(c *Scope) { c.Matrix("kernel", 2, 3) }, []string{"kernel is [2 3 4] instead of [2 3]"}},
		{"missing and shapes", func(c *Scope) { c.Vector("x", 1); c.Vector("kernel", 1) }, []string{"1 tensor is missing (x) and 1 of another shape", "kernel is [2 3 4] instead of [1 1]"}},
		{"type", func(c *Scope) { c.Matrix("quantized", 4, 4) }, []string{"the tensor quantized holds F8_E4M3 numbers"}},
		{"type, but missing first", func(c *Scope) { c.Matrix("quantized", 4, 4); c.Vector("x", 1) }, []string{"1 tensor is missing (x)"}},
		{"a hostile name", func(c *Scope) { c.Vector(strings.Repeat("n", 5000)+"\n", 1) }, []string{"1 tensor is missing"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			scope := mustOpen(t, single(sample()), Options{}).Scope()
			c.ask(scope)
			err := scope.In("elsewhere").Err()
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range append(c.want, "model.safetensors", "choose") {
				checkSentence(t, err, want)
			}
		})
	}
}

// TestScopePlaceholder checks that model code may use the placeholder of a missing
// tensor until it asks for the error.
func TestScopePlaceholder(t *testing.T) {
	c := mustOpen(t, single(sample()), Options{}).Scope()
	for _, w := range []*engine.Tensor{c.Matrix("absent", 3, 4), c.Matrix("kernel", 3, 4), c.Matrix("quantized", 4, 4)} {
		if w == nil || w.Op != engine.OpWeight || w.Source() != nil || w.Rows < 3 || w.Cols != 4 {
			t.Errorf("%+v", w)
		}
	}
}
