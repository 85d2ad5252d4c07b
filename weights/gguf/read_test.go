package gguf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/weights/gguf/gguftest"
)

// sample is a valid file of about 4 kB with values of every type.
func sample() []byte {
	var tokens, merges []string
	for i := range 60 {
		tokens = append(tokens, fmt.Sprintf("token-%d", i))
		merges = append(merges, fmt.Sprintf("t %d", i))
	}
	return gguftest.File([]gguftest.Pair{
		{Key: "general.architecture", Value: "llama"},
		{Key: "general.alignment", Value: uint32(64)},
		{Key: "u8", Value: uint8(200)},
		{Key: "i8", Value: int8(-100)},
		{Key: "u16", Value: uint16(60000)},
		{Key: "i16", Value: int16(-30000)},
		{Key: "u32", Value: uint32(4e9)},
		{Key: "i32", Value: int32(-2e9)},
		{Key: "u64", Value: uint64(math.MaxUint64)},
		{Key: "i64", Value: int64(math.MinInt64)},
		{Key: "f32", Value: float32(0.5)},
		{Key: "f64", Value: 1e100},
		{Key: "yes", Value: true},
		{Key: "no", Value: false},
		{Key: "empty", Value: ""},
		{Key: "tokens", Value: tokens},
		{Key: "merges", Value: merges},
		{Key: "scores", Value: []float32{0, -1, 2.5}},
		{Key: "types", Value: []int32{1, -1, 3}},
		{Key: "bytes", Value: []uint8{0, 255}},
		{Key: "small", Value: []int8{-1, 1}},
		{Key: "wide", Value: []uint64{1, 1 << 40}},
		{Key: "long", Value: []int64{-1 << 40}},
		{Key: "shorts", Value: []uint16{1, 2}},
		{Key: "negatives", Value: []int16{-1, -2}},
		{Key: "unsigned", Value: []uint32{7}},
		{Key: "doubles", Value: []float64{0.25}},
		{Key: "flags", Value: []bool{true, false, true}},
		{Key: "nothing", Value: []string{}},
	}, []gguftest.Tensor{
		{Name: "token_embd.weight", Type: 0, Dims: []uint64{8, 12}, Data: make([]byte, 4*8*12)},
		{Name: "blk.0.attn_q.weight", Type: 8, Dims: []uint64{64, 2}, Data: make([]byte, 4*34)},
		{Name: "blk.0.attn_norm.weight", Type: 0, Dims: []uint64{8}, Data: make([]byte, 32)},
		{Name: "blk.0.ffn_up.weight", Type: 12, Dims: []uint64{256, 2}, Data: make([]byte, 288)},
		{Name: "blk.0.experts", Type: 16, Dims: []uint64{256, 1, 2, 1}, Data: make([]byte, 132)},
		{Name: "scalar", Type: 30, Dims: nil, Data: make([]byte, 2)},
	})
}

func parse(data []byte) (*File, error) { return Read(bytes.NewReader(data), int64(len(data))) }

func TestRead(t *testing.T) {
	data := sample()
	f, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if f.Version != 3 || f.Alignment != 64 || f.Data%64 != 0 || len(f.Meta.Keys()) != 29 {
		t.Errorf("version %d, alignment %d, data at %d, %d keys", f.Version, f.Alignment, f.Data, len(f.Meta.Keys()))
	}
	want := []struct {
		name, kind string
		dims       []int
		bytes      int64
	}{
		{"token_embd.weight", "F32", []int{8, 12}, 384},
		{"blk.0.attn_q.weight", "Q8_0", []int{64, 2}, 136},
		{"blk.0.attn_norm.weight", "F32", []int{8}, 32},
		{"blk.0.ffn_up.weight", "Q4_K", []int{256, 2}, 288},
		{"blk.0.experts", "IQ2_XXS", []int{256, 1, 2, 1}, 132},
		{"scalar", "BF16", []int{}, 2},
	}
	end := f.Data
	for i, w := range want {
		got := f.Tensors[i]
		if got.Name != w.name || got.Type.String() != w.kind || !slices.Equal(got.Dims, w.dims) || got.Bytes != w.bytes {
			t.Errorf("%+v instead of %+v", got, w)
		}
		if got.Offset%64 != 0 || got.Offset < end || got.Offset >= end+64 {
			t.Errorf("%s is at %d, after %d", got.Name, got.Offset, end)
		}
		end = got.Offset + got.Bytes
	}
	if len(f.Tensors) != len(want) || end > int64(len(data)) {
		t.Errorf("%d tensors up to %d", len(f.Tensors), end)
	}
}

// TestReadOthers opens unusual but valid files.
func TestReadOthers(t *testing.T) {
	one := gguftest.Info("a", 0, 0, 8)
	cases := map[string][]byte{
		"nothing in it":                    gguftest.Head(3, 0, 0),
		"version 2":                        gguftest.Head(2, 0, 0),
		"metadata only":                    slices.Concat(gguftest.Head(3, 0, 1), gguftest.Value("a", uint8(1))),
		"bytes at the end":                 append(gguftest.File(nil, []gguftest.Tensor{{Name: "a", Dims: []uint64{8}, Data: make([]byte, 32)}}), 1, 2, 3),
		"no padding after the last tensor": padded(slices.Concat(gguftest.Head(3, 1, 0), one), 32, 32),
		"tensors in another order":         padded(slices.Concat(gguftest.Head(3, 2, 0), gguftest.Info("b", 0, 32, 8), one), 32, 64),
		"a hole":                           padded(slices.Concat(gguftest.Head(3, 2, 0), one, gguftest.Info("b", 0, 96, 8)), 32, 128),
		"alignment 8":                      padded(slices.Concat(gguftest.Head(3, 2, 1), gguftest.Value("general.alignment", uint32(8)), one, gguftest.Info("b", 0, 40, 8)), 8, 72),
		"a string over many windows":       slices.Concat(gguftest.Head(3, 0, 2), gguftest.Value("a", strings.Repeat("x", 1<<20)), gguftest.Value("b", "y")),
		"a type of the past":               padded(slices.Concat(gguftest.Head(3, 1, 0), gguftest.Info("a", 31, 0, 32)), 32, 18),
	}
	for name, data := range cases {
		if _, err := parse(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// padded aligns a head and appends n bytes of data.
func padded(head []byte, align, n int) []byte {
	return append(head, make([]byte, -len(head)&(align-1)+n)...)
}

// TestWindows reads a file with strings of every length that cross the borders between
// windows.
func TestWindows(t *testing.T) {
	var want []string
	for i := range 3000 {
		want = append(want, strings.Repeat(string(rune('a'+i%26)), i*7919%700))
	}
	for _, n := range []int{inWindow - 1, inWindow, inWindow + 1, windowSize - 1, windowSize, windowSize + 1, 3 * windowSize} {
		want = append(want, strings.Repeat("z", n))
	}
	want = append(want, want[:3000]...)
	numbers := make([]float32, 200_000)
	for i := range numbers {
		numbers[i] = float32(i)
	}
	f, err := parse(gguftest.File([]gguftest.Pair{{Key: "a", Value: want}, {Key: "b", Value: numbers}, {Key: "c", Value: want}}, nil))
	if err != nil {
		t.Fatal(err)
	}
	a, err1 := f.Meta.Strings("a")
	b, err2 := f.Meta.Floats("b")
	c, err3 := f.Meta.Strings("c")
	if !slices.Equal(a, want) || !slices.Equal(b, numbers) || !slices.Equal(c, want) || errors.Join(err1, err2, err3) != nil {
		t.Error("the strings or numbers are others than were written", err1, err2, err3)
	}
}

// TestLargeVocabulary: a vocabulary of 150,000 tokens with its merges is read within the
// limits of time and memory.
func TestLargeVocabulary(t *testing.T) {
	checkLimits(t, vocabulary())
}

// TestLargestHead: a file at every limit at once is read within the limits of time and
// memory.
func TestLargestHead(t *testing.T) {
	array := slices.Concat(gguftest.Text("texts"), gguftest.Number(uint32(9)), gguftest.Number(uint32(8)), gguftest.Number(uint64(maxStrings)))
	b := slices.Concat(gguftest.Head(3, maxTensors, maxKeys), array, slices.Repeat(gguftest.Text("x"), maxStrings))
	for i := range maxKeys - 1 {
		b = append(b, gguftest.Value(fmt.Sprint(i), uint8(1))...)
	}
	for i := range maxTensors {
		b = append(b, gguftest.Info(fmt.Sprint(i), 24, uint64(32*i), 1, 1, 1, 1)...)
	}
	checkLimits(t, padded(b, 32, 32*maxTensors))
}

// patience is the time that even a busy, slow machine needs at most for a file of these
// tests. Without limits in the reader, some files would take hours.
const patience = 30 * time.Second

// checkLimits reads a valid file and checks that it takes no more time than patience and
// no more memory than its size plus 64 MiB.
func checkLimits(t *testing.T, data []byte) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	_, err := parse(data)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	beyond := int(after.TotalAlloc-before.TotalAlloc) - len(data)
	t.Logf("%d bytes in %v, %d bytes allocated beyond the file's size", len(data), took, beyond)
	if took > patience || beyond > 64<<20 {
		t.Error("that is too much")
	}
}

// vocabulary is the file of a vocabulary of 150,000 tokens.
func vocabulary() []byte {
	const n = 150_000
	tokens, merges, types, scores := make([]string, n), make([]string, 2*n), make([]int32, n), make([]float32, n)
	for i := range n {
		tokens[i] = fmt.Sprintf("tok%d", i*7)
		merges[i], merges[n+i] = fmt.Sprintf("to k%d", i), fmt.Sprintf("tok %d", i)
	}
	return gguftest.File([]gguftest.Pair{
		{Key: "tokenizer.ggml.tokens", Value: tokens},
		{Key: "tokenizer.ggml.merges", Value: merges},
		{Key: "tokenizer.ggml.token_type", Value: types},
		{Key: "tokenizer.ggml.scores", Value: scores},
	}, nil)
}

func BenchmarkRead(b *testing.B) {
	data := vocabulary()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

// check checks what must be true of the result for any file.
func check(t testing.TB, data []byte, f *File, err error) {
	t.Helper()
	var format *FormatError
	switch {
	case err == nil:
		for _, x := range f.Tensors {
			if x.Offset < f.Data || x.Bytes < 0 || x.Offset+x.Bytes > int64(len(data)) {
				t.Fatalf("%q lies outside of the file: %+v", x.Name, x)
			}
		}
	case !errors.As(err, &format):
		t.Fatalf("not an error of the format: %v", err)
	default:
		if text := err.Error(); strings.Contains(text, "\n") || len(text) > 600 || !(strings.HasPrefix(text, "is ") || strings.HasPrefix(text, "holds ")) {
			t.Fatalf("not a sentence: %q", text)
		}
	}
}

// useMeta reads each value by every method.
func useMeta(m *Meta) {
	for _, k := range m.Keys() {
		m.Uint(k)
		m.Int(k)
		m.Float(k)
		m.Bool(k)
		m.String(k)
		m.Strings(k)
		m.Ints(k)
		m.Floats(k)
		m.Bools(k)
		m.Type(k)
		m.Len(k)
	}
}

// TestTruncation cuts the sample off at every byte.
func TestTruncation(t *testing.T) {
	data := sample()
	f, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	last := f.Tensors[len(f.Tensors)-1]
	t.Logf("%d cuts", len(data))
	for n := range len(data) {
		f, err := parse(data[:n])
		check(t, data[:n], f, err)
		if whole := int64(n) >= last.Offset+last.Bytes; (err == nil) != whole {
			t.Errorf("cut to %d bytes of %d: %v", n, len(data), err)
		}
	}
}

// mutant returns a copy of the sample with damage number i: one byte anywhere, an
// integer of 4 or 8 bytes in the head, or a stretch that is removed or doubled.
func mutant(whole []byte, head int, i uint64) []byte {
	random := rand.New(rand.NewPCG(i, 30))
	b := slices.Clone(whole)
	values := []uint64{0, 1, 7, 8, 9, 12, 13, uint64(len(b)), 1 << 16, 1 << 20, 1 << 31, 1<<32 - 1, 1 << 32, 1<<62 - 1, 1 << 63, math.MaxUint64, math.MaxUint64 - 31, random.Uint64(), random.Uint64N(300)}
	value := values[random.IntN(len(values))]
	switch random.IntN(6) {
	case 0:
		b[random.IntN(len(b))] = byte(random.IntN(256))
	case 1:
		b[random.IntN(head)] ^= 1 << random.IntN(8)
	case 2:
		binary.LittleEndian.PutUint64(b[random.IntN(head):], value)
	case 3:
		binary.LittleEndian.PutUint32(b[random.IntN(head):], uint32(value))
	case 4:
		from := random.IntN(len(b))
		b = slices.Delete(b, from, min(from+1+random.IntN(40), len(b)))
	case 5:
		from, to := random.IntN(head), random.IntN(head)
		b = slices.Insert(b, to, slices.Clone(b[from:from+1+random.IntN(40)])...)
	}
	return b
}

func TestMutations(t *testing.T) {
	if testing.Short() {
		mutations(t, 0, 10_000)
		return
	}
	mutations(t, 0, 100_000)
}

// mutations opens the mutants from..to of a file, and reads the metadata of some of
// those that open.
func mutations(t *testing.T, from, to uint64) {
	whole := sample()
	f, err := parse(whole)
	if err != nil {
		t.Fatal(err)
	}
	accepted := uint64(0)
	var before, after runtime.MemStats
	slowest := time.Duration(0)
	for i := from; i < to; i++ {
		data := mutant(whole, int(f.Data), i)
		// Reading the counters stops the world: only now and then.
		if i%64 == 0 {
			runtime.ReadMemStats(&before)
		}
		start := time.Now()
		f, err := parse(data)
		slowest = max(slowest, time.Since(start))
		if i%64 == 0 {
			runtime.ReadMemStats(&after)
			if spent := after.TotalAlloc - before.TotalAlloc; spent > 1<<20 {
				t.Fatalf("mutation %d: %d bytes allocated for a file of %d", i, spent, len(data))
			}
		}
		check(t, data, f, err)
		if err == nil {
			if accepted++; accepted%16 == 0 {
				useMeta(f.Meta)
			}
		}
	}
	n := to - from
	t.Logf("%d of %d damaged files are valid still; the slowest took %v", accepted, n, slowest)
	if accepted < n/100 || accepted > n*9/10 {
		t.Error("the mutations test nothing")
	}
	if slowest > patience {
		t.Error("that is too slow")
	}
}

// FuzzRead opens any bytes as a file and asks for all its metadata:
//
//	go test -fuzz FuzzRead ./weights/gguf
func FuzzRead(f *testing.F) {
	f.Add(sample())
	for _, c := range hostile() {
		if len(c.data) < 4096 {
			f.Add(c.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		file, err := parse(data)
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(len(data))+64<<20 {
			t.Errorf("%d bytes allocated for a file of %d", spent, len(data))
		}
		check(t, data, file, err)
		if err == nil {
			useMeta(file.Meta)
		}
	})
}

// failing is a file that cannot be read from a given byte on.
type failing struct {
	io.ReaderAt
	from int64
}

var errBroken = errors.New("the disk is broken")

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		return 0, errBroken
	}
	return f.ReaderAt.ReadAt(p, off)
}

// TestReadErrors checks that an error of the disk is returned, and that a file which is
// shorter than its reported size is an error.
func TestReadErrors(t *testing.T) {
	data := gguftest.File([]gguftest.Pair{
		{Key: "strings", Value: slices.Repeat([]string{strings.Repeat("x", 1000)}, 2000)},
		{Key: "numbers", Value: make([]uint64, 1<<17)},
		{Key: "string", Value: strings.Repeat("y", 1<<20)},
	}, nil)
	for from := int64(0); from < int64(len(data)); from += 99_991 {
		var format *FormatError
		if _, err := Read(failing{bytes.NewReader(data), from}, int64(len(data))); !errors.Is(err, errBroken) {
			t.Errorf("broken from %d on: %v", from, err)
		}
		if _, err := Read(bytes.NewReader(data[:from]), int64(len(data))); !errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &format) {
			t.Errorf("cut at %d: %v", from, err)
		}
	}
}
