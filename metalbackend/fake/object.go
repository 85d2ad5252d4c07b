package fake

import (
	"fmt"

	"inglenook/gpu"
	"inglenook/gpu/msl"
	"inglenook/metalbackend/objc"
)

// thing is one object. Another object reuses its slot once nobody holds it.
type thing struct {
	class class
	id    objc.ID // 0 while the slot is free
	refs  int

	text     string // of a string, the name of a class, the reason of an error
	number   int    // the code of an error
	memory   []byte // of a buffer
	mapped   bool   // the memory belongs to the host
	program  *msl.Program
	values   []gpu.Constant // of function constants
	function *function
	command  *command
	encoder  *encoder
	set      *residencySet
	elements []*thing // of an array, which holds them
}

// things lists all objects by their index. An ID combines an index with the
// number of objects that have used the slot, so that a stale one is detected.
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

// find returns the object with an ID, nil if it no longer exists.
func (ts *things) find(id objc.ID) *thing {
	if i := int(id & (1<<indexBits - 1)); i < len(ts.all) && id != 0 && ts.all[i].id == id {
		return ts.all[i]
	}
	return nil
}

// drop releases one reference, and with the last one the object.
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
	case arrayClass:
		for _, held := range t.elements {
			f.drop(held)
		}
	case residencyClass:
		f.freeResidency(t.set)
	case activityClass:
		if t.number == underWay {
			f.problem("an activity is dropped before endActivity:")
		}
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
	if p := f.innermost(); p != nil {
		p.things = append(p.things, t)
		return
	}
	f.problem("%s is autoreleased on a thread without a pool: it leaks", t.class)
}

// innermost returns the pool of this thread that was opened last, or nil.
func (f *Fake) innermost() *pool {
	on := thread()
	for i := len(f.pools) - 1; i >= 0; i-- {
		if f.pools[i].thread == on {
			return f.pools[i]
		}
	}
	return nil
}

func (f *Fake) pooled() bool { return f.innermost() != nil }

// living returns the objects that are still held, except those that live as long
// as the runtime.
func (f *Fake) living() (held []string) {
	for _, t := range f.things.all {
		switch {
		case t.id == 0 || t.class == metaclass || t.class == processClass:
		case t.class == bufferClass:
			held = append(held, fmt.Sprintf("MTLBuffer of %d bytes", len(t.memory)))
		default:
			held = append(held, t.class.String())
		}
	}
	return held
}

// objectAt returns an element of an array. Beyond the end Objective-C raises an
// exception, which ends the program.
func (f *Fake) objectAt(self *thing, words []uintptr) uintptr {
	if words[0] >= uintptr(len(self.elements)) {
		f.problem("objectAtIndex:%d of an array of %d raises an exception", words[0], len(self.elements))
		return 0
	}
	return uintptr(self.elements[words[0]].id)
}
