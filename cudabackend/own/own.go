// Package own holds kernels in CUDA for what is fast on Apple's GPUs and slow on NVIDIA's.
// Some stand in for kernels of Metal's with the same name, and take the same buffers;
// others do together what one of Metal's does. What they decode, and how, is Metal's
// source, which comes before theirs in the text that is compiled; theirs is in the folder cu.
package own

import (
	"embed"
	"encoding/binary"
	"io"
	"strings"

	"inglenook/gpu"
	"inglenook/gpu/msl"
)

//go:embed cu/*.cu
var files embed.FS

// stand is a kernel that stands in for those of a family.
type stand struct {
	family string // the beginning of their names
	files  []string
	fits   func(k *gpu.Kernel, variant string) bool // whether it does for one of them; variant is the rest of its name
	shape  func(d *gpu.Dispatch, args []byte)       // changes a launch, given the kernel's arguments
}

var stands = []stand{
	{"linear_vec_", []string{"linear_vec.cu", "linear_vec_bytes.cu"}, fitsLinearVec, linearVec},
	{"attention_vector_", []string{"attention_vector.cu"}, fitsAttentionVector, attentionVector},
	{"attention_matrix_", []string{"attention_matrix.cu"}, fitsAttentionMatrix, attentionMatrix},
	{"embed_", []string{"embed.cu"}, always, same},
	{"rope", []string{"rope.cu"}, exactly, rope},
	{"cache_", nil, always, cache},
}

// find returns what stands in for a kernel.
func find(k *gpu.Kernel) (s stand, ok bool) {
	for _, s := range stands {
		if variant, ok := strings.CutPrefix(k.Name, s.family); ok && s.fits(k, variant) {
			return s, true
		}
	}
	return stand{}, false
}

// Find returns the declaration of the kernel with a key, nil where there is none, and its
// CUDA source if it is in this package.
func Find(p *msl.Program, k *gpu.Kernel) (declared *msl.Kernel, source string) {
	if strings.HasPrefix(k.Name, prefix) {
		return declare(p, k.Name)
	}
	if s, ok := find(k); ok {
		source = text(s.files...)
	}
	return p.Kernel(k.Name), source
}

// text returns files of this package.
func text(names ...string) string {
	var all strings.Builder
	for _, name := range names {
		data, _ := files.ReadFile("cu/" + name) // embedded: it can be read
		all.WriteString("#line 1 \"" + name + "\"\n" + string(data) + "\n")
	}
	return all.String()
}

// Write writes all sources, for a digest.
func Write(w io.Writer) error {
	entries, err := files.ReadDir("cu")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, err := io.WriteString(w, text(e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// Shaper gives lists the launches that the kernels of this package want. It reuses its
// memory.
type Shaper struct {
	Hopper     bool // the card's code is for sm_90a
	Apart      bool // operations that Metal's kernels compute apart stay so: a kernel was refused
	Processors int  // multiprocessors of the card
	list       gpu.List
	scratch    gpu.Region
	packed     packed // what scratch has
}

// packed says of which x there are halves, of how many parts.
type packed struct {
	x     gpu.Region
	parts int
}

// Shape returns the launches of a list in the shapes that the kernels of this package
// want. They are valid until the next call. scratch has at least [Scratch] bytes.
func (s *Shaper) Shape(list *gpu.List, scratch gpu.Region) *gpu.List {
	clear(s.list.Dispatches)
	s.list.Dispatches, s.list.Inline, s.scratch = s.list.Dispatches[:0], append(s.list.Inline[:0], list.Inline...), scratch
	s.packed = packed{}
	for i := 0; i < len(list.Dispatches); i++ {
		if tiles := s.feedAt(list, i); tiles != nil {
			s.feed(list.Dispatches[i:], tiles)
			i++
			continue
		}
		if tiles := tilesAt(list, i); len(tiles) > 0 {
			tiles = tiles[:min(len(tiles), s.together())]
			attention, block := s.halvedAt(list, i, tiles)
			s.products(list.Dispatches[i:], tiles, attention != nil)
			i += len(tiles) - 1
			if attention != nil {
				s.attentionHalves(list, attention, block)
				i++
				s.packed = packed{}
			}
			continue
		}
		s.packed = packed{} // x may change
		if s.normAt(list, i) {
			continue
		}
		if n := s.slicesAt(list, i); n > 0 {
			i += n - 1
			continue
		}
		if n := s.attendAt(list, i); n > 0 {
			i += n - 1
			continue
		}
		if n := s.vectorsAt(list, i); n > 1 {
			s.vectors(list, list.Dispatches[i:i+n])
			i += n - 1
			continue
		}
		d := list.Dispatches[i]
		if stand, ok := find(&d.Kernel); ok {
			s.packKeys(list, &d)
			stand.shape(&d, arguments(list, &d))
		}
		s.list.Dispatches = append(s.list.Dispatches, d)
	}
	return &s.list
}

// together is how many products may be one launch.
func (s *Shaper) together() int {
	if s.Apart {
		return 1
	}
	return severalMost
}

// number returns the i-th of the numbers that a kernel's arguments are.
func number(args []byte, i int) int { return int(binary.NativeEndian.Uint32(args[4*i:])) }

// arguments returns the argument struct of a dispatch.
func arguments(list *gpu.List, d *gpu.Dispatch) []byte {
	at := d.Bindings[0]
	return list.Inline[at.Offset : at.Offset+at.Size]
}
