package fake

import (
	"fmt"

	"inglenook/gpu"
	"inglenook/gpu/msl"
	"inglenook/metalbackend/objc"
)

// thing is one object. Its place serves another object once nobody holds it.
type thing struct {
	class class
	id    objc.ID // 0 while the place is free
	refs  int

	text     string // of a string, the name of a class, the reason of an error
	number   int    // the code of an error
	memory   []byte // of a buffer
	mapped   bool   // that memory is the host's
	program  *msl.Program
	values   []gpu.Constant // of function constants
	function *function
	command  *command
	encoder  *encoder
	set      *residencySet
}

// things are all objects by their index. An ID is an index with the number of
// objects that had its place, so that a stale one is found out.
type things struct {
	all   []*thing
	free  []int
	turns []uint32
}

const indexBits = 24

func (ts *things) add(c class) *thing {
	i := len(ts.all)
	if n := len(ts.free); n > 0 {
		i = ts.free[n-1]
		ts.free = ts.free[:n-1]
	} else {
		ts.all, ts.turns = append(ts.all, &thing{}), append(ts.turns, 0)
	}
	ts.turns[i]++
	t := ts.all[i]
	*t = thing{class: c, id: objc.ID(ts.turns[i])<<indexBits | objc.ID(i), refs: 1}
	return t
}

// find returns the object, nil where there is none of that name any more.
func (ts *things) find(id objc.ID) *thing {
	if i := int(id & (1<<indexBits - 1)); i < len(ts.all) && id != 0 && ts.all[i].id == id {
		return ts.all[i]
	}
	return nil
}

// drop takes one reference, and the object with the last one.
func (f *Fake) drop(t *thing) {
	if t.refs--; t.refs > 0 {
		return
	}
	switch t.class {
	case bufferClass:
		f.free(t)
	case commandClass:
		f.freeCommand(t.command)
	case encoderClass:
		if !t.encoder.ended {
			f.problem("an encoder was dropped before endEncoding")
		}
		f.spareEncoders = append(f.spareEncoders, t.encoder)
	case residencyClass:
		f.freeResidency(t.set)
	}
	i := int(t.id & (1<<indexBits - 1))
	*t = thing{}
	f.things.free = append(f.things.free, i)
}

// pool is an autorelease pool of one thread.
type pool struct {
	thread int
	things []*thing
	drain  func()
}

// autorelease puts an object into the thread's innermost pool.
func (f *Fake) autorelease(t *thing) {
	on := thread()
	for i := len(f.pools) - 1; i >= 0; i-- {
		if f.pools[i].thread == on {
			f.pools[i].things = append(f.pools[i].things, t)
			return
		}
	}
	f.problem("%s is autoreleased on a thread without a pool: it leaks", t.class)
}

// living are the objects that somebody still holds, except what lives as long
// as the runtime.
func (f *Fake) living() (held []string) {
	for _, t := range f.things.all {
		switch {
		case t.id == 0 || t.class == metaclass:
		case t.class == bufferClass:
			held = append(held, fmt.Sprintf("MTLBuffer of %d bytes", len(t.memory)))
		default:
			held = append(held, t.class.String())
		}
	}
	return held
}
