package fake

import "inglenook/metalbackend/objc"

const (
	maxBuffers    = 31   // of Metal's argument table
	maxShared     = 4    // what our kernels use; Metal has 31
	maxSetBytes   = 4096 // of setBytes
	sharedAlign   = 16   // bytes
	offsetAlign   = 4    // bytes, of bound buffers
	maxGroupWidth = 1024
)

// encoder is a compute command encoder's state.
type encoder struct {
	command    *command
	concurrent bool
	ended      bool
	pipeline   *thing
	buffers    [maxBuffers]slot
	shared     [maxShared]uint32
	touched    []touch // since the last barrier
}

// slot is what is bound at an index: a range of a buffer, or, without a buffer,
// of the command buffer's own bytes.
type slot struct {
	buffer       *thing
	from, length int // length 0: nothing is bound
}

// touch is a range of a buffer that a dispatch may read or write.
type touch struct {
	buffer   *thing
	from, to int
	written  bool
	kernel   string
}

func (f *Fake) newEncoder(self *thing, words []uintptr) uintptr {
	c := self.command
	if c.encoding || c.status != notCommitted {
		f.problem("an encoder is made while another is open, or after commit")
		return 0
	}
	if f.due(NilEncoder) != nil {
		return 0
	}
	var e *encoder
	if n := len(f.spareEncoders); n > 0 {
		e = f.spareEncoders[n-1]
		f.spareEncoders = f.spareEncoders[:n-1]
		*e = encoder{touched: e.touched[:0]}
	} else {
		e = &encoder{}
	}
	e.command, e.concurrent = c, words[0] == 1
	c.encoding = true
	t := f.things.add(encoderClass)
	t.encoder = e
	f.autorelease(t)
	return uintptr(t.id)
}

// open reports whether the encoder still accepts commands.
func (f *Fake) open(self *thing) bool {
	if self.encoder.ended {
		f.problem("a command comes after endEncoding")
		return false
	}
	return true
}

func (f *Fake) endEncoding(self *thing, _ []uintptr) uintptr {
	if f.open(self) {
		self.encoder.ended, self.encoder.command.encoding = true, false
	}
	return 0
}

func (f *Fake) setPipeline(self *thing, words []uintptr) uintptr {
	if f.open(self) {
		p := f.object(words[0])
		self.encoder.pipeline = p
		self.encoder.command.hold(p)
	}
	return 0
}

func (f *Fake) setBuffer(self *thing, words []uintptr) uintptr {
	if index := words[2]; f.open(self) && f.index(index) {
		b := f.object(words[0])
		self.encoder.command.hold(b)
		self.encoder.buffers[index] = slot{buffer: b}
		f.place(&self.encoder.buffers[index], int(words[1]))
	}
	return 0
}

func (f *Fake) setOffset(self *thing, words []uintptr) uintptr {
	if index := words[1]; f.open(self) && f.index(index) {
		s := &self.encoder.buffers[index]
		if s.buffer == nil {
			f.problem("setBufferOffset: at index %d, where no buffer is bound", index)
			return 0
		}
		f.place(s, int(words[0]))
	}
	return 0
}

// place sets the range of a bound buffer: as long as the host announced, else to
// the buffer's end.
func (f *Fake) place(s *slot, offset int) {
	length, have := f.reach, len(s.buffer.memory)
	f.reach = 0
	if length == 0 {
		length = have - offset
	}
	if offset < 0 || offset%offsetAlign != 0 || length <= 0 || offset > have-length {
		f.problem("%d bytes at %d of a buffer of %d cannot be bound", length, offset, have)
		*s = slot{}
		return
	}
	s.from, s.length = offset, length
}

func (f *Fake) setBytes(self *thing, words []uintptr) uintptr {
	index, length := words[2], int(words[1])
	if !f.open(self) || !f.index(index) {
		return 0
	}
	if length <= 0 || length > maxSetBytes {
		f.problem("setBytes: with %d bytes; it takes 1 to %d", length, maxSetBytes)
		return 0
	}
	c := self.encoder.command
	self.encoder.buffers[index] = slot{from: len(c.bytes), length: length}
	c.bytes = append(c.bytes, memoryAt(words[0], length)...)
	for len(c.bytes)%16 != 0 {
		c.bytes = append(c.bytes, 0)
	}
	return 0
}

func (f *Fake) index(index uintptr) bool {
	if index >= maxBuffers {
		f.problem("buffer index %d; the last is %d", index, maxBuffers-1)
		return false
	}
	return true
}

func (f *Fake) setShared(self *thing, words []uintptr) uintptr {
	length, index := words[0], words[1]
	switch {
	case !f.open(self):
	case index >= maxShared || length == 0 || length%sharedAlign != 0:
		f.problem("threadgroup memory of %d bytes at index %d", length, index)
	default:
		self.encoder.shared[index] = uint32(length)
	}
	return 0
}

func (f *Fake) barrier(self *thing, words []uintptr) uintptr {
	const buffers = 1 // MTLBarrierScopeBuffers
	if f.open(self) {
		if words[0] != buffers {
			f.problem("a barrier with scope %d; that of buffers is %d", words[0], buffers)
		}
		f.stats.Barriers++
		self.encoder.touched = self.encoder.touched[:0]
	}
	return 0
}

// dispatch is dispatchThreadgroups:threadsPerThreadgroup:.
func (f *Fake) dispatch(self *thing, groups, threads objc.Size) {
	e := self.encoder
	if !f.open(self) {
		return
	}
	if e.pipeline == nil {
		f.problem("a dispatch without a pipeline")
		return
	}
	fn := e.pipeline.function
	name := fn.kernel.Name
	total := threads.Width * threads.Height * threads.Depth
	if groups.Width*groups.Height*groups.Depth == 0 || total == 0 || total > uint64(min(f.o.MaxThreads, maxGroupWidth)) || total%uint64(f.o.SIMDWidth) != 0 {
		f.problem("%s: %v threadgroups of %v threads", name, groups, threads)
		return
	}
	l := launch{function: fn, groups: triple(groups), threads: triple(threads), first: len(e.command.slots), shared: e.shared}
	if !f.complete(e, fn) || !f.ordered(e, fn) {
		return
	}
	for _, n := range fn.buffers {
		e.command.slots = append(e.command.slots, e.buffers[n.index])
	}
	e.command.launches = append(e.command.launches, l)
	f.stats.Dispatches++
}

func triple(s objc.Size) [3]uint32 {
	return [3]uint32{uint32(s.Width), uint32(s.Height), uint32(s.Depth)}
}

// complete checks that everything that the kernel needs is bound.
func (f *Fake) complete(e *encoder, fn *function) bool {
	for _, n := range fn.buffers {
		s := &e.buffers[n.index]
		switch {
		case s.length == 0:
			f.problem("%s: nothing is bound at index %d", fn.kernel.Name, n.index)
			return false
		case n.bytes > 0 && s.length != n.bytes:
			f.problem("%s: its arguments are %d bytes, %d are bound", fn.kernel.Name, n.bytes, s.length)
			return false
		case n.written && s.buffer == nil:
			f.problem("%s writes to index %d, where bytes of the command are bound", fn.kernel.Name, n.index)
			return false
		}
	}
	sum := 0
	for _, index := range fn.shared {
		if index >= maxShared || e.shared[index] == 0 {
			f.problem("%s: threadgroup memory %d has no length", fn.kernel.Name, index)
			return false
		}
		sum += int(e.shared[index])
	}
	if sum > f.o.SharedBytes {
		f.problem("%s: %d bytes of threadgroup memory; the device has %d", fn.kernel.Name, sum, f.o.SharedBytes)
		return false
	}
	return true
}

// ordered checks that no dispatch since the last barrier touches the same bytes,
// unless all of them only read.
func (f *Fake) ordered(e *encoder, fn *function) bool {
	since := len(e.touched)
	for _, n := range fn.buffers {
		s := &e.buffers[n.index]
		if s.buffer == nil {
			continue
		}
		if e.concurrent {
			for i := range e.touched[:since] {
				t := &e.touched[i]
				if (t.written || n.written) && t.buffer == s.buffer && t.from < s.from+s.length && s.from < t.to {
					f.problem("%s and %s touch the same bytes with no barrier between them", t.kernel, fn.kernel.Name)
					return false
				}
			}
		}
		e.touched = append(e.touched, touch{s.buffer, s.from, s.from + s.length, n.written, fn.kernel.Name})
	}
	return true
}
