package weights

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits on the memory that a file can claim. The first is the format's own.
// The others are far above any real checkpoint and bound the memory of a header
// with nothing but tiny entries.
const (
	maxHeader   = 100_000_000 // bytes
	maxTensors  = 1 << 17     // in one file
	maxDims     = 1 << 20     // of all shapes of one file together
	maxMetadata = 1 << 16     // entries
)

// header is the tensor directory at the start of a safetensors file
// (https://github.com/huggingface/safetensors#format): 8 bytes that hold its
// length, little-endian, then one JSON object.
type header struct {
	tensors  map[string]*stored
	metadata map[string]string
	dims     int   // of all shapes together
	file     *file // the file with the tensors
}

// stored is one tensor as the file describes it.
type stored struct {
	dtype      string
	shape      []int
	begin, end int64 // bytes; in the JSON from the end of the header, here from the start of the file
	file       *file
	grouped    *grouped     // of a matrix that MLX quantized
	adapted    *adaptedRows // of a matrix to which those of a task are added
	heads      int          // number of heads, for queries or keys whose rows a GGUF file stores in another order (see inHeadOrder); otherwise 0
}

// readHeader reads and checks the directory of f: when it returns, the tensors
// cover the rest of the file exactly, without gaps or overlaps.
//
// The file of an outline may end after its header.
func readHeader(f *file, outline bool) (*header, error) {
	text, err := headerText(f)
	if err != nil {
		return nil, err
	}
	h, err := parseHeader(text)
	if err != nil {
		return nil, damaged(f.name, fmt.Errorf("in its header, %w", err))
	}
	start := 8 + int64(len(text))
	size := f.size - start
	if outline {
		size = max(size, h.end())
	}
	if err := h.cover(size); err != nil {
		return nil, damaged(f.name, err)
	}
	for _, t := range h.tensors {
		t.begin, t.end, t.file = t.begin+start, t.end+start, f
	}
	return h, nil
}

// headerText reads the JSON of the header. It compares its length with the
// file's before allocating memory.
func headerText(f *file) (string, error) {
	if f.size < 8 {
		return "", damaged(f.name, fmt.Errorf("it has %d bytes and cannot even hold the length of its header", f.size))
	}
	var prefix [8]byte
	if _, err := f.ReadAt(prefix[:], 0); err != nil {
		return "", err
	}
	n := binary.LittleEndian.Uint64(prefix[:])
	if n > maxHeader {
		return "", damaged(f.name, fmt.Errorf("its header would be %d bytes long, more than the format's limit of %d", n, maxHeader))
	}
	if 8+int64(n) > f.size {
		return "", damaged(f.name, fmt.Errorf("its header would be %d bytes long, but the file has only %d", n, f.size))
	}
	return readText(f, 8, int64(n))
}

// readText reads n bytes at off as a string, without copying them twice.
func readText(f *file, off, n int64) (string, error) {
	var text strings.Builder
	text.Grow(int(n))
	_, err := io.Copy(&text, io.NewSectionReader(f, off, n))
	return text.String(), err
}

// parseHeader parses the JSON object. Each tensor in the result is consistent
// in itself; its range is not yet compared with the others.
func parseHeader(text string) (*header, error) {
	if !strings.HasPrefix(text, "{") {
		return nil, errors.New("the text does not begin with '{'")
	}
	if !utf8.ValidString(text) {
		return nil, errors.New("the text is not UTF-8")
	}
	h := &header{tensors: map[string]*stored{}}
	j := &scanner{s: text}
	err := j.object(func(key string) error {
		if key == "__metadata__" {
			return h.readMetadata(j)
		}
		return h.readTensor(j, key)
	})
	if err == nil {
		err = j.end()
	}
	return h, err
}

// readMetadata reads the object of free text that a file may contain. Some
// writers put null in its place.
func (h *header) readMetadata(j *scanner) error {
	if h.metadata != nil {
		return errors.New("__metadata__ comes twice")
	}
	h.metadata = map[string]string{}
	if j.null() {
		return nil
	}
	return j.object(func(key string) error {
		if _, twice := h.metadata[key]; twice {
			return fmt.Errorf("the metadata key %s comes twice", quote(key))
		}
		if len(h.metadata) == maxMetadata {
			return fmt.Errorf("there are more than %d metadata entries", maxMetadata)
		}
		value, err := j.string()
		if err != nil {
			return fmt.Errorf("the metadata %s: %w", quote(key), err)
		}
		h.metadata[key] = value
		return nil
	})
}

func (h *header) readTensor(j *scanner, name string) error {
	if _, twice := h.tensors[name]; twice {
		return fmt.Errorf("the tensor %s comes twice", quote(name))
	}
	if len(h.tensors) == maxTensors {
		return fmt.Errorf("there are more than %d tensors", maxTensors)
	}
	t := new(stored)
	if err := h.readEntry(j, t); err != nil {
		return fmt.Errorf("the tensor %s: %w", quote(name), err)
	}
	h.tensors[name] = t
	return nil
}

// readEntry reads {"dtype": …, "shape": […], "data_offsets": [begin, end]} in
// any order. It ignores other fields, like the reference implementation.
func (h *header) readEntry(j *scanner, t *stored) error {
	var seen [3]bool
	once := func(i int, field string) error {
		if seen[i] {
			return fmt.Errorf("%s comes twice", field)
		}
		seen[i] = true
		return nil
	}
	err := j.object(func(field string) (err error) {
		switch field {
		case "dtype":
			if err = once(0, field); err == nil {
				t.dtype, err = j.string()
			}
		case "shape":
			if err = once(1, field); err == nil {
				t.shape, err = h.readShape(j)
			}
		case "data_offsets":
			if err = once(2, field); err == nil {
				t.begin, t.end, err = readRange(j)
			}
		default:
			err = j.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if seen != [3]bool{true, true, true} {
		return errors.New("dtype, shape or data_offsets is missing")
	}
	return t.check()
}

func (h *header) readShape(j *scanner) ([]int, error) {
	var buf [8]int
	shape := buf[:0]
	err := j.array(func() error {
		n, err := j.int()
		if err != nil {
			return err
		}
		if n > math.MaxInt {
			return fmt.Errorf("a side of %d is too long for this computer", n)
		}
		if h.dims++; h.dims > maxDims {
			return errors.New("the shapes have too many dimensions")
		}
		shape = append(shape, int(n))
		return nil
	})
	return slices.Clone(shape), err
}

func readRange(j *scanner) (begin, end int64, err error) {
	n := 0
	err = j.array(func() error {
		v, err := j.int()
		if err != nil {
			return err
		}
		switch n++; n {
		case 1:
			begin = v
		case 2:
			end = v
		default:
			return errors.New("data_offsets has more than two numbers")
		}
		return nil
	})
	if err == nil && n != 2 {
		err = errors.New("data_offsets has fewer than two numbers")
	}
	return begin, end, err
}

// check compares the range with the size that type and shape require.
func (t *stored) check() error {
	width, known := storedTypes[t.dtype]
	if !known {
		return fmt.Errorf("the type %s is unknown", quote(t.dtype))
	}
	if t.end < t.begin {
		return fmt.Errorf("its bytes would end at %d, before they begin at %d", t.end, t.begin)
	}
	size := uint64(1)
	grow := func(by int) bool {
		high, low := bits.Mul64(size, uint64(by))
		size = low
		return high == 0
	}
	for _, side := range t.shape {
		if !grow(side) {
			return fmt.Errorf("the shape %s is too large to be true", shapeText(t.shape))
		}
	}
	if !grow(width) {
		return fmt.Errorf("the shape %s is too large to be true", shapeText(t.shape))
	}
	if size%8 != 0 {
		return fmt.Errorf("%s of shape %s does not fill whole bytes", t.dtype, shapeText(t.shape))
	}
	if size /= 8; size != uint64(t.end-t.begin) {
		return fmt.Errorf("%s of shape %s needs %d bytes, but the file gives it %d", t.dtype, shapeText(t.shape), size, t.end-t.begin)
	}
	return nil
}

// end returns the end of the last tensor.
func (h *header) end() (end int64) {
	for _, t := range h.tensors {
		end = max(end, t.end)
	}
	return end
}

// cover checks that the tensors are contiguous and fill size bytes.
func (h *header) cover(size int64) error {
	names := make([]string, 0, len(h.tensors))
	for name := range h.tensors {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		s, t := h.tensors[a], h.tensors[b]
		return cmp.Or(cmp.Compare(s.begin, t.begin), cmp.Compare(s.end, t.end), cmp.Compare(a, b))
	})
	at := int64(0)
	for _, name := range names {
		t := h.tensors[name]
		switch {
		case t.begin < at:
			return fmt.Errorf("the tensor %s overlaps another one", quote(name))
		case t.begin > at:
			return fmt.Errorf("%d bytes before the tensor %s belong to no tensor", t.begin-at, quote(name))
		}
		at = t.end
	}
	if at > size {
		return fmt.Errorf("it was cut short: %d bytes of its tensors are missing", at-size)
	}
	if at < size {
		return fmt.Errorf("%d bytes at its end belong to no tensor", size-at)
	}
	return nil
}
