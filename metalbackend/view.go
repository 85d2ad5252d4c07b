package metalbackend

import (
	"errors"
	"slices"
	"sync"
	"time"

	"inglenook/engine"
	"inglenook/gpu/lower"
	"inglenook/metalbackend/objc"
)

// views are buffers over mapped files, so that weights need no copy. A file that
// is larger than the longest buffer has several views, which overlap so that each
// weight lies in one of them.
type views struct {
	off bool // all weights are copied

	mu      sync.Mutex
	all     []*view
	checked time.Time // when the files were last checked for changes
}

// view is one buffer. It exists as long as a weight uses it.
type view struct {
	memory  *memory
	mapping engine.Mapping
	file    uintptr // address of the mapping
	from    int64   // of the file
	weights int
}

// inView is a weight within a view. Its tensor holds it.
type inView struct {
	views  *views
	view   *view
	offset int // in the view's buffer
}

// find returns a weight within a view, which it makes if there is none yet; nil
// if the weight has to be copied.
func (vs *views) find(b *Backend, t *engine.Tensor) (*inView, error) {
	if vs.off {
		return nil, nil
	}
	mapping, begin := t.Mapping()
	if mapping == nil {
		return nil, nil
	}
	address, size := mapping.Address()
	page := int64(objc.PageSize())
	if begin%int64(lower.WeightAlign(t.DType)) != 0 || int64(address)%page != 0 || begin+int64(t.Bytes()) > size {
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
	if errors.Is(err, errNotMapped) {
		return nil, mapping.Release() // a copy may do
	}
	if err != nil { // copies would only fill the memory before they fail as well
		return nil, errors.Join(err, mapping.Release())
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

// Close releases the weight's place. The last one closes the view.
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

// checkEvery is the interval of checks of files, which cost a system call and
// memory.
const checkEvery = 100 * time.Millisecond

// changed returns an error if a file has changed since it was opened: results since
// then may be wrong.
func (vs *views) changed() error {
	if vs.off {
		return nil
	}
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if len(vs.all) == 0 || time.Since(vs.checked) < checkEvery {
		return nil
	}
	vs.checked = time.Now()
	for _, v := range vs.all {
		if err := v.mapping.Changed(); err != nil {
			return &engine.WeightError{Weight: "the weights", Err: err}
		}
	}
	return nil
}
