package objc

import (
	"sync"

	"github.com/ebitengine/purego"
)

// calls holds the arguments of C functions in reusable memory: purego would move
// them to the heap at every call.
type calls struct{ pool sync.Pool } // of *call

type call struct{ words [12]uintptr }

func (cs *calls) take() *call {
	if c, ok := cs.pool.Get().(*call); ok {
		return c
	}
	return &call{}
}

// send calls a function of two or more words.
func (cs *calls) send(function, first, second uintptr, more []uintptr) uintptr {
	c := cs.take()
	c.words[0], c.words[1] = first, second
	n := 2 + copy(c.words[2:], more)
	r, _, _ := purego.SyscallN(function, c.words[:n]...)
	cs.pool.Put(c)
	return r
}

// sendSizes calls a function of two words and two MTLSize by value.
func (cs *calls) sendSizes(function, first, second uintptr, a, b Size) {
	c := cs.take()
	c.words[0], c.words[1] = first, second
	purego.SyscallN(function, c.words[:c.byValue(a, b)]...)
	cs.pool.Put(c)
}

// structures appends two structures to the words.
func (c *call) structures(a, b Size) {
	for i, v := range [...]uint64{a.Width, a.Height, a.Depth, b.Width, b.Height, b.Depth} {
		c.words[6+i] = uintptr(v)
	}
}
