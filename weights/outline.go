package weights

import "inglenook/engine"

// imagined returns an outline of tensors without a header: they get the type dtype
// and the shapes for which a model asks. names are the existing tensors, nil if
// unknown. The Set is not safe for concurrent use.
func imagined(name, dtype string, names map[string]string) *Set {
	s := newSet(name)
	s.imagines, s.promised = dtype, names
	return s
}

// Imagine returns an outline of whatever tensors a model asks for, with matrices of a
// stored type such as "BF16" or "Q4_K", quantized as in [Options]. The Set is not
// safe for concurrent use.
func Imagine(dtype string, quantize engine.DType) *Set {
	s := imagined("config.json", dtype, nil)
	s.quantize.to, s.outline = quantize, true
	return s
}

// promises reports whether an outline knows a tensor by name only.
func (s *Set) promises(name string) bool {
	_, there := s.promised[name]
	_, before := s.promised[oldSpelling(name)]
	return there || before
}

// imagine creates the tensor [rows, cols] of an outline, or returns nil if it does
// not exist.
func (s *Set) imagine(name string, rows, cols int) *stored {
	if s.imagines == "" || rows < 1 || cols < 1 || s.promised != nil && !s.promises(name) {
		return nil
	}
	t := &stored{dtype: s.imagines, shape: []int{rows, cols}}
	if rows == 1 {
		t.shape = []int{cols}
	}
	if d := weightTypes[t.dtype]; d.Quantized() && (cols%d.Block() != 0 || !t.quantizes(name)) {
		t.dtype = "F32" // as vectors are in GGUF files, and F16 what blocks do not fill
		if t.quantizes(name) {
			t.dtype = "F16"
		}
	}
	if d, known := weightTypes[t.dtype]; known {
		t.end = int64(rows) * int64(d.RowBytes(cols))
	}
	s.stored[name] = t
	s.bytes += t.end
	return t
}

// StoredType returns the safetensors type for a name in config.json, such as
// "bfloat16"; false if no kernel supports it.
func StoredType(torch string) (string, bool) {
	t, known := torchTypes[torch]
	return t, known
}

var torchTypes = map[string]string{"float32": "F32", "float16": "F16", "bfloat16": "BF16", "float64": "F64", "float": "F32", "half": "F16", "double": "F64"}
