package metalbackend

import (
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"inglenook/engine"
	"inglenook/gpu/lower"
)

// views are buffers over mapped files, in which weights lie in place. A file of
// more bytes than the longest buffer has several, which overlap so that each
// weight lies in one.
type views struct {
	off bool // everything is copied

	mu     sync.Mutex
	all    []*view
	looked time.Time // when the files were last compared with what they were
}

// view is one buffer. It is there as long as a weight lies in it.
type view struct {
	memory  *memory
	mapping engine.Mapping
	file    uintptr // address of the mapping
	from    int64   // of the file
	weights int
}

// inView is a weight in place: what its tensor keeps.
type inView struct {
	views  *views
	view   *view
	offset int // in the view's buffer
}

// find gives the place of a weight within a view, a new one where it lies in
// none; nil where it has to be copied.
func (vs *views) find(b *Backend, t *engine.Tensor) (*inView, error) {
	if vs.off {
		return nil, nil
	}
	mapping, begin := t.Mapping()
	if mapping == nil {
		return nil, nil
	}
	address, size := mapping.Address()
	page := int64(os.Getpagesize())
	if begin%lower.WeightAlign != 0 || int64(address)%page != 0 || begin+int64(t.Bytes()) > size {
		return nil, mapping.Release()
	}
	vs.mu.Lock()
	defer vs.mu.Unlock()
	for _, v := range vs.all {
		if v.file == address && v.from <= begin && begin+int64(t.Bytes()) <= v.from+int64(v.memory.Size) {
			return vs.in(v, begin), mapping.Release()
		}
	}
	longest := int64(b.features.BufferBytes) / page * page
	whole := (size + page - 1) / page * page // the last page is mapped to its end
	from := int64(0)
	if whole > longest {
		from = begin / page * page
	}
	bytes := min(longest, whole-from)
	if begin+int64(t.Bytes()) > from+bytes {
		return nil, mapping.Release()
	}
	m, err := b.wrap("the file with "+t.Name, address+uintptr(from), int(bytes))
	if err != nil {
		return nil, mapping.Release() // a copy of what is needed may do
	}
	m.ReadOnly = true
	b.resident.add(m)
	v := &view{memory: m, mapping: mapping, file: address, from: from}
	vs.all = append(vs.all, v)
	return vs.in(v, begin), nil
}

func (vs *views) in(v *view, begin int64) *inView {
	v.weights++
	return &inView{vs, v, int(begin - v.from)}
}

// Close gives the weight's place back, and the view with the last one.
func (p *inView) Close() error {
	vs, v := p.views, p.view
	if v == nil {
		return nil
	}
	p.view = nil
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if v.weights--; v.weights > 0 {
		return nil
	}
	vs.all = slices.DeleteFunc(vs.all, func(other *view) bool { return other == v })
	return errors.Join(v.memory.Close(), v.mapping.Release())
}

// lookEvery is how often files are looked at: that takes a system call and memory.
const lookEvery = 100 * time.Millisecond

// changed is an error once a file is no longer what it was when it was opened:
// what was computed since may be wrong.
func (vs *views) changed() error {
	if vs.off {
		return nil
	}
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if len(vs.all) == 0 || time.Since(vs.looked) < lookEvery {
		return nil
	}
	vs.looked = time.Now()
	for _, v := range vs.all {
		if err := v.mapping.Changed(); err != nil {
			return &engine.WeightError{Weight: "the weights", Err: err}
		}
	}
	return nil
}
