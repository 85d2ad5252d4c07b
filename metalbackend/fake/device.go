package fake

import (
	"os"
	"slices"
	"strings"
	"unsafe"

	"inglenook/gpu"
	"inglenook/gpu/msl"
	"inglenook/metalbackend/objc"
)

func (f *Fake) newBuffer(_ *thing, words []uintptr) uintptr {
	length := int(words[0])
	switch {
	case words[0] == 0:
		f.problem("a buffer of no bytes")
		return 0
	case length < 0 || length > f.o.LongestBuffer:
		f.problem("a buffer of %d bytes; the device's limit is %d", words[0], f.o.LongestBuffer)
		return 0
	case words[1] != 0:
		f.problem("a buffer with options %#x; shared storage is 0", words[1])
		return 0
	case f.due(RefuseBuffer) != nil:
		return 0
	}
	memory, err := f.alloc(length)
	if err != nil {
		return 0
	}
	t := f.things.add(bufferClass)
	t.memory = memory
	return uintptr(t.id)
}

func (f *Fake) newMapped(_ *thing, words []uintptr) uintptr {
	page := uintptr(os.Getpagesize())
	switch address, length := words[0], words[1]; {
	case address%page != 0 || length%page != 0 || length == 0:
		f.problem("a buffer over %d bytes at %#x of the host's memory: both have to be multiples of %d", length, address, page)
		return 0
	case int(length) > f.o.LongestBuffer:
		f.problem("a buffer of %d bytes; the device's limit is %d", length, f.o.LongestBuffer)
		return 0
	case f.due(RefuseMapping) != nil:
		return 0
	}
	t := f.things.add(bufferClass)
	t.memory, t.mapped = memoryAt(words[0], int(words[1])), true
	return uintptr(t.id)
}

// alloc returns zeroed memory.
func (f *Fake) alloc(length int) ([]byte, error) {
	if f.o.Executor == nil {
		return make([]byte, length), nil
	}
	return f.o.Executor.Alloc(length)
}

func (f *Fake) free(t *thing) {
	if t.mapped || f.o.Executor == nil {
		return
	}
	if err := f.o.Executor.Free(t.memory); err != nil {
		f.problem("memory cannot be freed: %v", err)
	}
}

// setMath accepts only the mode in which results are as written: both are 0.
func (f *Fake) setMath(_ *thing, words []uintptr) uintptr {
	if byte(words[0]) != 0 {
		f.problem("the kernels are not compiled with safe math")
	}
	return 0
}

// oldestLanguage is MTLLanguageVersion2_4, of macOS 12.
const oldestLanguage = 0x20004

func (f *Fake) newLibrary(_ *thing, words []uintptr) uintptr {
	source := f.object(words[0]).text
	if f.o.CompileFail != "" && strings.Contains(source, f.o.CompileFailAt) {
		return f.fail(words[2], f.o.CompileFail)
	}
	if language := f.object(words[1]).number; language != oldestLanguage {
		f.problem("the kernels are compiled as language %#x; they are written in %#x", language, oldestLanguage)
	}
	if f.due(RefuseLibrary) != nil {
		return f.fail(words[2], "Compiler encountered an internal error")
	}
	if f.due(WarnLibrary) != nil {
		f.fail(words[2], "program_source:1:1: warning: a library comes all the same")
	}
	program, err := msl.ParsePart(source)
	if err != nil {
		return f.fail(words[2], err.Error())
	}
	t := f.things.add(libraryClass)
	t.program = program
	return uintptr(t.id)
}

func (f *Fake) setConstant(self *thing, words []uintptr) uintptr {
	const typeInt = 29 // MTLDataTypeInt
	if words[1] != typeInt {
		f.problem("function constant %d is set with data type %d; all of ours are int, %d", words[2], words[1], typeInt)
		return 0
	}
	value := *(*int32)(unsafe.Pointer(&memoryAt(words[0], 4)[0]))
	self.values = append(self.values, gpu.Constant{Index: int32(words[2]), Value: value})
	return 0
}

// function is a kernel with its constants, for a function and for its pipeline.
type function struct {
	kernel    *msl.Kernel
	constants []gpu.Constant
	buffers   []bufferNeed
	shared    []int // indexes of threadgroup memory
}

// bufferNeed is what a kernel requires at an index.
type bufferNeed struct {
	index   int
	written bool
	bytes   int // of an argument struct, 0 for other buffers
}

func (f *Fake) newFunction(self *thing, words []uintptr) uintptr {
	name, values := f.object(words[0]).text, f.object(words[1]).values
	kernel := self.program.Kernel(name)
	if kernel == nil {
		return f.fail(words[2], "the library has no function "+name)
	}
	if f.dueFor(RefuseFunction, name) != nil {
		return f.fail(words[2], "the function cannot be specialized")
	}
	if f.o.Executor != nil {
		if err := f.o.Executor.Has(name); err != nil {
			return f.fail(words[2], err.Error())
		}
	}
	fn := &function{kernel: kernel}
	for _, index := range kernel.Constants {
		i := slices.IndexFunc(values, func(c gpu.Constant) bool { return int(c.Index) == index })
		if i < 0 {
			return f.fail(words[2], "a function constant that "+name+" reads is not set")
		}
		fn.constants = append(fn.constants, values[i])
	}
	for _, p := range kernel.Params {
		switch p.Kind {
		case msl.Buffer:
			n := bufferNeed{index: p.Index, written: p.Written}
			if s := self.program.Struct(p.Struct); s != nil {
				n.bytes = 4 * len(s.Fields)
			}
			fn.buffers = append(fn.buffers, n)
		case msl.Threadgroup:
			fn.shared = append(fn.shared, p.Index)
		}
	}
	t := f.things.add(functionClass)
	t.function = fn
	return uintptr(t.id)
}

func (f *Fake) newPipeline(_ *thing, words []uintptr) uintptr {
	function := f.object(words[0]).function
	if f.dueFor(RefusePipeline, function.kernel.Name) != nil {
		return f.fail(words[1], "Compiler encountered an internal error")
	}
	if leastFamily := 7; function.kernel.SIMD && f.o.Family < leastFamily && f.o.Family >= 0 {
		return f.fail(words[1], "the function uses instructions of simdgroups, which this device lacks")
	}
	t := f.things.add(pipelineClass)
	t.function = function
	return uintptr(t.id)
}

// residencySet holds buffers, effective from commit on.
type residencySet struct {
	held      []*thing
	pending   []func()
	requested bool
}

func (f *Fake) requestResidency(self *thing, _ []uintptr) uintptr {
	f.stats.Requests++
	self.set.requested = true
	return 0
}

func (f *Fake) endResidency(self *thing, _ []uintptr) uintptr {
	self.set.requested = false
	return 0
}

func (f *Fake) addAllocation(self *thing, words []uintptr) uintptr {
	t, s := f.object(words[0]), self.set
	t.refs++
	s.held = append(s.held, t)
	return 0
}

func (f *Fake) removeAllocation(self *thing, words []uintptr) uintptr {
	t, s := f.object(words[0]), self.set
	i := slices.Index(s.held, t)
	if i < 0 {
		f.problem("a buffer is removed from a residency set that it is not in")
		return 0
	}
	s.held = slices.Delete(s.held, i, i+1)
	s.pending = append(s.pending, func() { f.drop(t) })
	return 0
}

func (f *Fake) commitResidency(self *thing, _ []uintptr) uintptr {
	for _, drop := range self.set.pending {
		drop()
	}
	self.set.pending = nil
	return 0
}

func (f *Fake) freeResidency(s *residencySet) {
	if s.requested {
		f.problem("a residency set is dropped before endResidency")
	}
	for _, drop := range s.pending {
		drop()
	}
	for _, t := range s.held {
		f.drop(t)
	}
}

// pointerTo returns the address where the host expects an object's id.
func pointerTo(room uintptr) *objc.ID {
	return (*objc.ID)(unsafe.Pointer(&memoryAt(room, 8)[0]))
}
