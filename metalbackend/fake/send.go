package fake

import (
	"fmt"
	"slices"
	"time"

	"inglenook/metalbackend/objc"
)

// message is the implementation of a selector. If several classes have a method
// of that name, each has a message.
type message struct {
	declaration
	name string
	run  func(f *Fake, self *thing, words []uintptr) uintptr // nil: nothing happens
	next *message                                            // of another class

	waits  bool // waitUntilCompleted
	writes bool // through one of its arguments
}

// declare registers the messages of the headers with their implementations.
func (f *Fake) declare() error {
	all, err := declarations()
	if err != nil {
		return err
	}
	done := map[string]bool{}
	for _, d := range all {
		name := d.class.String() + " " + d.selector
		run, ok := methods[name]
		if !ok {
			return fmt.Errorf("nothing is known of %s", name)
		}
		done[name] = true
		i := f.sel(d.selector) - 1
		m := message{declaration: d, name: d.selector, run: run, waits: d.selector == "waitUntilCompleted"}
		m.writes = slices.ContainsFunc(d.arguments, func(a argument) bool { return a.kind == errorRoom })
		if first := &f.methods[i]; first.name == "" {
			*first = m
		} else {
			m.next = first.next
			first.next = &m
		}
	}
	if len(done) != len(methods) {
		return fmt.Errorf("%d methods, of which the headers declare %d", len(methods), len(done))
	}
	return nil
}

func (f *Fake) sel(name string) objc.Sel {
	s, ok := f.known[name]
	if !ok {
		f.selectors, f.methods = append(f.selectors, name), append(f.methods, message{})
		s = objc.Sel(len(f.selectors))
		f.known[name] = s
	}
	return s
}

// Send implements objc.Runtime.
func (f *Fake) Send(obj objc.ID, sel objc.Sel, words ...uintptr) uintptr {
	f.mu.Lock()
	self, m := f.receive(obj, sel)
	if m == nil || !f.fits(m, words) {
		f.mu.Unlock()
		return 0
	}
	if len(f.faults) > 0 && f.dueFor(Abort, m.name) != nil {
		abort()
	}
	if m.waits { // others continue meanwhile
		c := self.command
		f.mu.Unlock()
		f.wait(c)
		return 0
	}
	if m.writes { // as the system's own code may while it has the pointer
		moveStack(stackMoves)
	}
	var result uintptr
	if m.run != nil {
		result = m.run(f, self, words)
	}
	f.mu.Unlock()
	return result
}

// SendFloat implements objc.Runtime: it returns the times of command buffers, in
// seconds of a clock that started with the runtime.
func (f *Fake) SendFloat(obj objc.ID, sel objc.Sel) float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	self, m := f.receive(obj, sel)
	if m == nil {
		return 0
	}
	at := time.Time{}
	switch m.name {
	case "GPUStartTime":
		at = self.command.began
	case "GPUEndTime":
		at = self.command.ended
	default:
		f.problem("%s does not give a double", m.name)
	}
	if at.IsZero() {
		return 0
	}
	return at.Sub(f.born).Seconds()
}

// SendSizes implements objc.Runtime.
func (f *Fake) SendSizes(obj objc.ID, sel objc.Sel, a, b objc.Size) {
	f.mu.Lock()
	defer f.mu.Unlock()
	self, m := f.receive(obj, sel)
	switch {
	case m == nil:
	case len(m.arguments) != 2 || m.arguments[0].kind != size || m.arguments[1].kind != size:
		f.problem("%s does not take two sizes", m.name)
	default:
		f.dispatch(self, a, b)
	}
}

// receive finds the receiver and its method.
func (f *Fake) receive(obj objc.ID, sel objc.Sel) (*thing, *message) {
	f.stats.Messages++
	i := int(sel) - 1
	if i < 0 || i >= len(f.methods) {
		f.problem("a message without a selector")
		return nil, nil
	}
	self := f.things.find(obj)
	if self == nil {
		f.problem("%s is sent to %s", f.selectors[i], map[bool]string{true: "nil", false: "an object that is gone"}[obj == 0])
		return nil, nil
	}
	m := &f.methods[i]
	for m != nil && m.class != self.class && m.class != anyClass {
		m = m.next
	}
	if m == nil || m.name == "" {
		f.problem("%s does not understand %s", self.class, f.selectors[i])
		return nil, nil
	}
	if self.class != encoderClass && !f.pooled() { // an encoder lives in a pool itself
		f.problem("%s is sent to %s outside of any pool: what Metal autoreleases meanwhile leaks", m.name, self.class)
	}
	if f.lacks(m.name) {
		f.problem("%s is sent where this macOS or device does not have it", m.name)
		return nil, nil
	}
	return self, m
}

// fits checks the arguments against the header.
func (f *Fake) fits(m *message, words []uintptr) bool {
	if len(words) != len(m.arguments) {
		f.problem("%s takes %d arguments and is sent %d", m.name, len(m.arguments), len(words))
		return false
	}
	for i, a := range m.arguments {
		switch a.kind {
		case object:
			if t := f.things.find(objc.ID(words[i])); t == nil || t.class != a.class && a.class != anyClass {
				f.problem("%s wants a living %s as argument %d", m.name, a.class, i+1)
				return false
			}
		case pointer:
			if words[i] == 0 {
				f.problem("%s wants a pointer as argument %d", m.name, i+1)
				return false
			}
		case block:
			if words[i] != 0 {
				f.problem("%s: this fake calls no blocks", m.name)
				return false
			}
		case selector:
			if int(words[i]) < 1 || int(words[i]) > len(f.selectors) {
				f.problem("%s wants a selector as argument %d", m.name, i+1)
				return false
			}
		case size:
			f.problem("%s takes sizes by value", m.name)
			return false
		}
	}
	return true
}

// object returns an argument that fits has found to be alive.
func (f *Fake) object(word uintptr) *thing { return f.things.find(objc.ID(word)) }

// fail stores an NSError through the last argument, and returns nil.
func (f *Fake) fail(room uintptr, reason string) uintptr {
	if room != 0 {
		t := f.things.add(errorClass)
		t.text = reason
		f.autorelease(t)
		*pointerTo(room) = t.id
	}
	return 0
}

// truth returns a BOOL as a word.
func truth(b bool) uintptr {
	if b {
		return 1
	}
	return 0
}

// lacks reports whether this macOS or its device is without a method.
func (f *Fake) lacks(selector string) bool {
	return f.o.Before15 && since15[selector] || f.o.NoResidency && ofResidency[selector]
}

// understands reports whether a class has a method of that name on this macOS.
func (f *Fake) understands(t *thing, sel objc.Sel) bool {
	if f.lacks(f.selectors[sel-1]) {
		return false
	}
	for m := &f.methods[sel-1]; m != nil; m = m.next {
		if m.name != "" && (m.class == t.class || m.class == anyClass) {
			return true
		}
	}
	return false
}

// stackMoves is how many frames of moveStack need a larger stack than goroutines
// begin with.
const stackMoves = 64

// moveStack moves the goroutine's stack to a larger one. A host that passes the
// address of a variable on its stack then no longer sees what is written there.
//
//go:noinline
func moveStack(frames int) byte {
	var frame [4 << 10]byte
	frame[frames] = 1
	if frames == 0 {
		return frame[0]
	}
	return moveStack(frames-1) + frame[0]
}
