package own

import (
	"bytes"
	"strings"

	"inglenook/gpu"
)

// A new token's rotation of queries, its row of the caches and its attention are one launch
// of attend.cu.

const (
	attentionRagged  = 32 // function constants of attention.metal, cache.metal and rope.metal
	cacheRoPE        = 40
	ropeInterleaved  = 53
	attentionNumbers = 14 // of AttentionArgs
	cacheNumbers     = 3
	attendBuffers    = 12
	ropeNumbers      = 4
)

// attendAt appends one launch for a token's rotation, caches and attention, if those begin with
// dispatch i, and returns how many dispatches that does, else 0.
func (s *Shaper) attendAt(list *gpu.List, i int) int {
	if s.Apart {
		return 0
	}
	at := func(n int) *gpu.Dispatch {
		if i+n < len(list.Dispatches) {
			return &list.Dispatches[i+n]
		}
		return &gpu.Dispatch{}
	}
	var turn *gpu.Dispatch
	n := 0
	if at(0).Kernel.Name == "rope" {
		turn, n = at(0), 1
	}
	store, attention := at(n), at(n+1)
	dtype, stores := strings.CutPrefix(store.Kernel.Name, "cache_")
	variant, attends := strings.CutPrefix(attention.Kernel.Name, "attention_vector_")
	if !stores || !attends || !fitsAttentionVector(&attention.Kernel, "") || !sameToken(list, turn, store, attention, dtype) {
		return 0
	}
	s.attend(list, turn, store, attention, variant)
	return n + 2
}

// sameToken reports whether the three belong to one new token, and one launch can do what
// they do: what some of its blocks write, others do not read.
func sameToken(list *gpu.List, turn, store, attention *gpu.Dispatch, dtype string) bool {
	attends, stores := arguments(list, attention), arguments(list, store)
	const attentionQueries, attentionPast, cacheValues, cachePast, cacheColumns = 0, 6, 0, 1, 2
	if number(attends, attentionQueries) != 1 || constant(&attention.Kernel, attentionRagged) != 0 ||
		number(stores, cacheValues) != number(stores, cacheColumns) || number(stores, cachePast) != number(attends, attentionPast) ||
		store.Bindings[3] != attention.Bindings[2] || store.Bindings[4] != attention.Bindings[3] ||
		dtype == "q8_0" && constant(&attention.Kernel, attentionSize)%warp != 0 {
		return false
	}
	written, read := append(make([]gpu.Region, 0, 2), attention.Bindings[6]), []gpu.Region{attention.Bindings[1], store.Bindings[1], store.Bindings[2]}
	if turned := constant(&store.Kernel, cacheRoPE) != 0; turned != (turn != nil) {
		return false
	} else if turned {
		if turn.Bindings[4] != attention.Bindings[1] || !sameRotation(list, turn, store) {
			return false
		}
		written, read[0] = append(written, turn.Bindings[4]), turn.Bindings[1]
	}
	return apart(written, read)
}

// sameRotation reports whether queries and keys are turned by the same angles.
func sameRotation(list *gpu.List, turn, store *gpu.Dispatch) bool {
	inline := func(r gpu.Region) []byte {
		if r.Memory != nil {
			return nil
		}
		return list.Inline[r.Offset : r.Offset+r.Size]
	}
	queries, keys := arguments(list, turn), inline(store.Bindings[5])
	one := turn.Groups[0] == 1
	return one && len(keys) == len(queries) && bytes.Equal(queries[4:], keys[4:]) && // without the columns of a row
		turn.Bindings[2] == store.Bindings[6] && inline(turn.Bindings[3]) != nil && bytes.Equal(inline(turn.Bindings[3]), inline(store.Bindings[7])) &&
		constant(&turn.Kernel, ropeInterleaved) == constant(&store.Kernel, ropeInterleaved)
}

// attend appends the launch.
func (s *Shaper) attend(list *gpu.List, turn, store, attention *gpu.Dispatch, variant string) {
	d := *attention
	attentionVector(&d, arguments(list, attention))
	kind, rotation := "attend_", make([]byte, 4*ropeNumbers)
	if turn != nil {
		kind, rotation = "turned_", arguments(list, turn)
	}
	constants := d.Kernel.Constants
	d.Kernel = gpu.Kernel{Name: prefix + kind + variant}
	for _, c := range constants {
		if c.Index != 0 && c.Index != attentionRagged { // that one is 0, and there is no room for it
			setConstant(&d, c.Index, c.Value)
		}
	}
	d.Bindings[0] = gpu.Region{Offset: len(s.list.Inline), Size: 4 * (attentionNumbers + cacheNumbers + ropeNumbers)}
	for _, args := range [][]byte{arguments(list, attention), arguments(list, store), rotation} {
		s.list.Inline = append(s.list.Inline, args...)
	}
	d.Bindings[7], d.Bindings[8] = store.Bindings[1], store.Bindings[2]
	d.Work += store.Work
	if turn != nil {
		d.Work += turn.Work
		d.Bindings[1] = turn.Bindings[1]
		d.Bindings[9], d.Bindings[10], d.Bindings[11] = turn.Bindings[2], turn.Bindings[3], turn.Bindings[4]
		setConstant(&d, ropeInterleaved, constant(&turn.Kernel, ropeInterleaved))
	}
	s.list.Dispatches = append(s.list.Dispatches, d)
}
