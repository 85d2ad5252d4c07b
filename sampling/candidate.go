package sampling

import (
	"math"
	"slices"
)

// candidate is a token with its logit, packed so that the order of the
// integers is that of the candidates: the higher logit first, of equal logits
// the lower id. The upper half is the logit's bits made to fall as it rises.
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

// maxHeap is how many tokens are found with a heap; to find more, sorting all
// of them is faster.
const maxHeap = 1024

// keep adds c to the heap of the best k candidates, whose root is the worst of
// them, in the place of that one if the heap is full.
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

// down restores it after its root was replaced.
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

// digit is the number of bits that one pass of sortByKey looks at.
const digit = 11

// sortByKey sorts c by the upper 32 bits, keeping the order of equal ones, in
// three passes of a radix sort: always the same time, whatever the logits. It
// returns the sorted slice and the other one.
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
