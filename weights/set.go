package weights

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"inglenook/engine"
	"inglenook/weights/gguf"
)

// Set is an open checkpoint: its directory, and its weights, which are read on
// demand. It is safe for concurrent use.
type Set struct {
	name     string // of the file or index, for messages
	stored   map[string]*stored
	metadata map[string]string
	meta     *gguf.Meta // nil except for GGUF files
	files    []*file
	bytes    int64
	beside   besides // files with a head for it

	outline  bool              // weights have no data
	imagines string            // the type of tensors without a header; "": not allowed
	promised map[string]string // their names; nil: any

	mu       sync.Mutex
	closed   bool
	weights  map[viewed]*engine.Tensor
	quantize quantization
}

// viewed is one view of one stored tensor; several names may refer to it.
type viewed struct {
	of    *stored
	label string
}

// Info describes a tensor as stored in its file.
type Info struct {
	DType  string // the format's name, such as "F32", "I64" or "Q4_K"
	Shape  []int
	File   string // relative to the model's folder
	Offset int64  // of its first byte in File
	Bytes  int64
}

func newSet(name string, headers ...*header) *Set {
	s := &Set{name: name, stored: map[string]*stored{}, metadata: map[string]string{}, weights: map[viewed]*engine.Tensor{}}
	for _, h := range headers {
		s.files = append(s.files, h.file)
		maps.Copy(s.stored, h.tensors)
		maps.Copy(s.metadata, h.metadata)
		for _, t := range h.tensors {
			s.bytes += t.end - t.begin
		}
	}
	return s
}

// Names returns the names of all tensors, sorted: Hugging Face's names, or a
// GGUF file's own names for tensors that have no other.
func (s *Set) Names() []string { return slices.Sorted(maps.Keys(s.stored)) }

// Unused returns the names of the tensors that were not requested so far,
// sorted.
func (s *Set) Unused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	used := map[*stored]bool{}
	for v := range s.weights {
		used[v.of] = true
	}
	var names []string
	for _, name := range s.Names() {
		if !used[s.stored[name]] {
			names = append(names, name)
		}
	}
	return names
}

// Info returns the description of a tensor; false if the name does not exist.
func (s *Set) Info(name string) (Info, bool) {
	t := s.find(name)
	if t == nil {
		return Info{}, false
	}
	return Info{t.dtype, slices.Clone(t.shape), s.fileOf(t), t.begin, t.end - t.begin}, true
}

// find looks up a name, also in the spelling of the first BERT checkpoints,
// which call a norm's weight gamma and its bias beta.
func (s *Set) find(name string) *stored {
	if t := s.stored[name]; t != nil {
		return t
	}
	return s.stored[oldSpelling(name)]
}

// oldSpelling returns the name of a tensor in the first BERT checkpoints, "" if
// it is the same.
func oldSpelling(name string) string {
	if base, ok := strings.CutSuffix(name, "LayerNorm.weight"); ok {
		return base + "LayerNorm.gamma"
	}
	if base, ok := strings.CutSuffix(name, "LayerNorm.bias"); ok {
		return base + "LayerNorm.beta"
	}
	return ""
}

// fileOf returns the file that contains or describes a tensor.
func (s *Set) fileOf(t *stored) string {
	if t.file == nil {
		return s.name
	}
	return t.file.name
}

// Tensor returns a weight as a matrix: a scalar is [1, 1], a vector [1, n], a
// matrix [r, c], anything higher [d0, the rest]. The same name returns the same
// tensor each time, so that tied weights are prepared once.
func (s *Set) Tensor(name string) (*engine.Tensor, error) { return s.tensor(name, whole{}) }

// tensor returns a view of a stored tensor, the same one each time.
func (s *Set) tensor(name string, v view) (*engine.Tensor, error) {
	t := s.find(name)
	if t == nil {
		return nil, fmt.Errorf("%s holds no tensor %s: choose a checkpoint of this model", quote(s.name), quote(name))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fmt.Errorf("%s: %w: load the model again", quote(s.name), fs.ErrClosed)
	}
	key := viewed{t, v.label()}
	if w := s.weights[key]; w != nil {
		return w, nil
	}
	m, err := t.matrix()
	if err != nil {
		return nil, fmt.Errorf("%s: the tensor %s %w: %s", quote(s.fileOf(t)), quote(name), err, s.otherTypes())
	}
	stored := m
	if m, err = v.of(m); err != nil {
		return nil, fmt.Errorf("%s: the tensor %s does not serve this model: %w: choose another checkpoint", quote(s.fileOf(t)), quote(name), err)
	}
	if t.quantizes(name) {
		m = s.quantize.apply(m)
	}
	if s.outline {
		m.src = nil
	}
	w := engine.NewWeight(name+key.label, m.dtype, m.rows, m.cols, m.src)
	if stack, ok := v.(stackView); ok {
		w.Parts = stack.Parts
		if section, is := stored.src.(*section); is && m.dtype == stored.dtype && stack.apart() {
			line := int64(m.dtype.RowBytes(stack.Cols))
			from := io.ReaderAt(section)
			if s.outline {
				from = nil
			}
			w.SetPlace(from, int64(stack.From)*line, int64(stack.Of)*line)
		}
	}
	s.weights[key] = w
	return w, nil
}

// otherTypes returns the advice about types that kernels do not support.
func (s *Set) otherTypes() string {
	if s.meta != nil {
		return "choose a file with Q4_K_M, Q8_0 or F16 weights"
	}
	return "choose a revision with F32, F16 or BF16 weights"
}

// matrix opens the tensor for reading.
func (t *stored) matrix() (matrix, error) {
	d, ok := weightTypes[t.dtype]
	if !ok {
		return matrix{}, fmt.Errorf("holds %s numbers, which this version cannot compute with", t.dtype)
	}
	rows, cols := t.sides()
	if t.grouped != nil {
		return t.grouped.matrix(rows, cols), nil
	}
	if t.adapted != nil {
		return t.adapted.matrix(), nil
	}
	m := matrix{d, rows, cols, &section{io.NewSectionReader(t.file, t.begin, t.end-t.begin), t.file, t.begin}}
	if t.dtype == "F64" {
		m.src = rounded{m.src}
	}
	if t.heads > 0 {
		m = inHeadOrder(m, t.heads)
	}
	return m, nil
}

// sides returns the shape as [rows, cols].
func (t *stored) sides() (rows, cols int) {
	switch len(t.shape) {
	case 0:
		return 1, 1
	case 1:
		return 1, t.shape[0]
	}
	if t.shape[0] == 0 && len(t.shape) > 2 {
		return 0, 0 // the other sides may be anything, even too large to multiply
	}
	cols = 1
	for _, side := range t.shape[1:] {
		cols *= side
	}
	return t.shape[0], cols
}

// Meta returns the metadata of a GGUF file, which describe its model and contain
// its vocabulary; nil for safetensors.
func (s *Set) Meta() *gguf.Meta { return s.meta }

// Metadata returns the free text of safetensors files (often only "format":
// "pt").
func (s *Set) Metadata() map[string]string { return maps.Clone(s.metadata) }

// Notes returns one sentence for each request in [Options] that could not be met
// for the weights returned so far.
func (s *Set) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	notes := s.quantize.notes()
	for _, u := range s.beside.why {
		if u.named && !s.Joined() {
			notes = append(notes, u.why)
		}
	}
	return notes
}

// Bytes returns the size of all tensors as stored.
func (s *Set) Bytes() int64 { return s.bytes }

// Close frees what backends prepared for the weights and closes the files. No
// graph that uses the weights may be running. Reads in progress finish first;
// later ones return an error.
func (s *Set) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var errs []error
	for _, w := range s.weights {
		errs = append(errs, w.Release())
	}
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
