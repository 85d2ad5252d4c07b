package sampling

import (
	"math"
	"slices"
)

// candidate is a token with its logit, packed so that integers sort in the
// order of the candidates: the higher logit first, for equal logits the lower
// id. The upper half holds the logit's bits, transformed to decrease as it
// increases.
type candidate uint64

func pack(id int, logit float32) candidate {
	bits := math.Float32bits(logit + 0) // -0 becomes 0
	if bits>>31 == 0 {
		bits = ^bits &^ (1 << 31)
	}
	return candidate(bits)<<32 | candidate(id)
}

func (c candidate) id() int32 { return int32(uint32(c)) }

func (c candidate) logit() float32 {
	bits := uint32(c >> 32)
	if bits>>31 == 0 {
		bits = ^bits &^ (1 << 31)
	}
	return math.Float32frombits(bits)
}

// maxHeap is how many tokens are found with a heap; for more, sorting all of
// them is faster.
const maxHeap = 1024

// keep adds c to the heap of the best k candidates. The root is the worst of
// them; if the heap is full, c replaces it.
func keep(h []candidate, c candidate, k int) []candidate {
	if len(h) < k {
		h = append(h, c)
		up(h)
		return h
	}
	h[0] = c
	down(h)
	return h
}

// up restores the heap after an append.
func up(h []candidate) {
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if h[parent] >= h[i] {
			return
		}
		h[parent], h[i] = h[i], h[parent]
		i = parent
	}
}

// down restores the heap after its root was replaced.
func down(h []candidate) {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h[child+1] > h[child] {
			child++
		}
		if h[i] >= h[child] {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// digit is the number of bits per pass of sortByKey.
const digit = 11

// sortByKey sorts c by the upper 32 bits, stably, with a radix sort of three
// passes: its time does not depend on the logits. It returns the sorted slice
// and the other one.
func sortByKey(c, spare []candidate) (sorted, other []candidate) {
	if len(c) <= 256 {
		slices.Sort(c) // equal keys come by id already
		return c, spare
	}
	spare = slices.Grow(spare[:0], len(c))[:len(c)]
	var places [3][1 << digit]int32
	for _, v := range c {
		for pass := range places {
			places[pass][v>>(32+digit*pass)&(1<<digit-1)]++
		}
	}
	for pass := range places {
		place := &places[pass]
		at := int32(0)
		for i, n := range place {
			place[i] = at
			at += n
		}
		for _, v := range c {
			i := v >> (32 + digit*pass) & (1<<digit - 1)
			spare[place[i]] = v
			place[i]++
		}
		c, spare = spare, c
	}
	return c, spare
}
