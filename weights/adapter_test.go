package weights

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
)

// numbersOf is a tensor of F32 numbers.
func numbersOf(name string, shape []int, values ...float32) tensor {
	t := tensor{name: name, dtype: "F32", shape: shape}
	for _, x := range values {
		t.data = binary.LittleEndian.AppendUint32(t.data, math.Float32bits(x))
	}
	return t
}

// adaptable is a matrix [3, 2] and a table of vectors [2, 3], each with small matrices of rank 1
// for two tasks.
func adaptable() []tensor {
	return []tensor{
		numbersOf("up.parametrizations.weight.original", []int{3, 2}, 1, 2, 3, 4, 5, 6),
		numbersOf("up.parametrizations.weight.0.lora_A", []int{2, 1, 2}, 1, 10, 2, 20),
		numbersOf("up.parametrizations.weight.0.lora_B", []int{2, 3, 1}, 1, 2, 3, 100, 200, 300),
		numbersOf("words.parametrizations.weight.original", []int{2, 3}, 1, 2, 3, 4, 5, 6),
		numbersOf("words.parametrizations.weight.0.lora_A", []int{2, 2, 1}, 1, 2, 100, 200),
		numbersOf("words.parametrizations.weight.0.lora_B", []int{2, 1, 3}, 1, 10, 100, 2, 20, 200),
		numbersOf("norm.weight", []int{2}, 7, 8),
	}
}

func floatsOf(t *testing.T, w *engine.Tensor) []float32 {
	t.Helper()
	data := make([]byte, w.Bytes())
	must(t, readFull(w.Source(), data, 0))
	values := make([]float32, len(data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.NativeEndian.Uint32(data[4*i:]))
	}
	return values
}

// The matrices of a task are added to those of the model, and those of other tasks are not.
func TestAdapter(t *testing.T) {
	for index, want := range [][3][]float32{
		{{1.5, 7, 4, 14, 6.5, 21}, {1.5, 7, 53, 5, 15, 106}, {4, 14}},
		{{101, 1002, 203, 2004, 305, 3006}, {101, 1002, 10003, 204, 2005, 20006}, {203, 2004}},
	} {
		s := mustOpen(t, single(encode("", adaptable()...)), Options{Adapter: &Adapter{Index: index, Of: 2, Rank: 1, Scale: 0.5}})
		if !s.Adapted() {
			t.Fatal("nothing was added")
		}
		c := s.Scope()
		for i, w := range []*engine.Tensor{c.Matrix("up.weight", 3, 2), c.Matrix("words.weight", 2, 3), c.Rows("up.weight", 3, 2, [2]int{1, 2})} {
			must(t, c.Err())
			if got := floatsOf(t, w); !slices.Equal(got, want[i]) {
				t.Errorf("task %d: %s is %v, want %v", index, w.Name, got, want[i])
			}
		}
		if got := floatsOf(t, c.Vector("norm.weight", 2)); !slices.Equal(got, []float32{7, 8}) {
			t.Errorf("the vector without small matrices is %v", got)
		}
		if unused := s.Unused(); len(unused) > 0 {
			t.Errorf("unused: %v", unused)
		}
	}
	if s := mustOpen(t, single(encode("", numbersOf("up.weight", []int{1, 2}, 1, 2))), Options{Adapter: &Adapter{Of: 2, Rank: 1, Scale: 1}}); s.Adapted() {
		t.Error("something was added to a checkpoint without small matrices")
	}
}

// Small matrices that are missing or do not fit are one sentence about the tensor.
func TestAdapterRefuses(t *testing.T) {
	const original, a, b = "up.parametrizations.weight.original", "up.parametrizations.weight.0.lora_A", "up.parametrizations.weight.0.lora_B"
	put := func(t tensor) func([]tensor) []tensor {
		return func(all []tensor) []tensor {
			return append(slices.DeleteFunc(all, func(x tensor) bool { return x.name == t.name }), t)
		}
	}
	without := func(name string) func([]tensor) []tensor {
		return func(all []tensor) []tensor {
			return slices.DeleteFunc(all, func(x tensor) bool { return x.name == name })
		}
	}
	for _, c := range []struct {
		name   string
		change func([]tensor) []tensor
		of     Adapter
		want   string
	}{
		{"no A", without(a), Adapter{}, "its small matrices for tasks are missing"},
		{"no B", without(b), Adapter{}, "its small matrices for tasks are missing"},
		{"a task too few", put(numbersOf(a, []int{1, 1, 2}, 1, 2)), Adapter{}, "[1 1 2] and [2 3 1], which do not fit 2 tasks of rank 1"},
		{"more tasks in config.json", nil, Adapter{Of: 5}, "do not fit 5 tasks of rank 1"},
		{"another rank in config.json", nil, Adapter{Rank: 4}, "do not fit 2 tasks of rank 4"},
		{"another rank in A", put(numbersOf(a, []int{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, 8)), Adapter{}, "do not fit 2 tasks of rank 1"},
		{"too few columns", put(numbersOf(a, []int{2, 1, 1}, 1, 2)), Adapter{}, "do not fit"},
		{"too many rows", put(numbersOf(b, []int{2, 4, 1}, 1, 2, 3, 4, 5, 6, 7, 8)), Adapter{}, "do not fit"},
		{"A without tasks", put(numbersOf(a, []int{1, 2}, 1, 2)), Adapter{}, "do not fit"},
		{"both as B", put(numbersOf(a, []int{2, 3, 1}, 1, 2, 3, 4, 5, 6)), Adapter{}, "do not fit"},
		{"a vector", put(numbersOf(original, []int{6}, 1, 2, 3, 4, 5, 6)), Adapter{}, "is none of a matrix"},
		{"no rows", put(tensor{original, "F32", []int{0, 2}, nil}), Adapter{}, "is none of a matrix"},
		{"no columns", put(tensor{original, "F32", []int{3, 0}, nil}), Adapter{}, "is none of a matrix"},
		{"whole numbers", put(tensor{original, "I32", []int{3, 2}, counting(24)}), Adapter{}, "hold I32 numbers"},
		{"small ones of whole numbers", put(tensor{b, "I64", []int{2, 3, 1}, counting(48)}), Adapter{}, "hold I64 numbers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := adaptable()
			if c.change != nil {
				all = c.change(all)
			}
			o := Adapter{Of: 2, Rank: 1, Scale: 1}
			if c.of.Of > 0 {
				o.Of = c.of.Of
			}
			if c.of.Rank > 0 {
				o.Rank = c.of.Rank
			}
			err := refused(t, single(encode("", all...)), Options{Adapter: &o}, c.want)
			if !strings.Contains(err.Error(), original) || !strings.HasSuffix(err.Error(), "download the model again") {
				t.Errorf("%v", err)
			}
		})
	}
	whole := encode("", adaptable()...)
	for n := range len(whole) {
		s, err := Open(single(whole[:n]), Options{Adapter: &Adapter{Of: 2, Rank: 1, Scale: 1}})
		if err == nil {
			s.Close()
			t.Fatalf("the first %d of %d bytes were opened", n, len(whole))
		}
		checkSentence(t, err, "")
	}
	c := mustOpen(t, single(encode("", without(original)(adaptable())...)), Options{Adapter: &Adapter{Of: 2, Rank: 1, Scale: 1}}).Scope()
	c.Matrix("up.weight", 3, 2)
	if err := c.Err(); err == nil || !strings.Contains(err.Error(), "up.weight") {
		t.Errorf("without the original: %v", err)
	}
}
