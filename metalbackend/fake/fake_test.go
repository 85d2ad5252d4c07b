package fake

import (
	"errors"
	"strings"
	"testing"
	"unsafe"

	"inglenook/gpu"
	"inglenook/metalbackend/objc"
)

// source is a small library: one kernel that reads a and writes b.
const source = `
#include <metal_stdlib>
using namespace metal;

constant int FC_twice [[function_constant(1)]];

struct CopyArgs { int n; int m; };

kernel void copy(
        constant CopyArgs & args     [[buffer(0)]],
        device const float * a       [[buffer(1)]],
        device float * b             [[buffer(2)]],
        threadgroup float * shared   [[threadgroup(0)]],
        uint i                       [[thread_position_in_grid]]) {
    if (int(i) < args.n) { b[i] = FC_twice ? 2.0f * a[i] : a[i]; }
}
`

// doubling is an executor that knows the one kernel.
type doubling struct {
	t        *testing.T
	launches []gpu.Launch
	freed    int
	refuse   error
}

func (d *doubling) Alloc(bytes int) ([]byte, error) { return make([]byte, bytes), d.refuse }

func (d *doubling) Free([]byte) error {
	d.freed++
	return nil
}

func (d *doubling) Has(kernel string) error {
	if kernel != "copy" {
		return errors.New("no kernel " + kernel)
	}
	return nil
}

func (d *doubling) Run(l *gpu.Launch) error {
	d.launches = append(d.launches, *l)
	if l.Kernel != "copy" || len(l.Buffers) != 3 || len(l.Buffers[0]) != 8 || len(l.Shared) != 1 {
		return errors.New("an odd launch")
	}
	a, b := floats(l.Buffers[1]), floats(l.Buffers[2])
	for i := range b {
		b[i] = a[i]
		if l.Constants[0] == (gpu.Constant{Index: 1, Value: 1}) {
			b[i] = 2 * a[i]
		}
	}
	return nil
}

func floats(b []byte) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// host sends messages by name and keeps the objects that a correct host keeps.
type host struct {
	*Fake
	t                                        *testing.T
	device, queue, library, pipeline, buffer objc.ID
	command, encoder                         objc.ID
}

func (h *host) send(obj objc.ID, sel string, words ...uintptr) objc.ID {
	return objc.ID(h.Send(obj, h.Sel(sel), words...))
}

// newHost opens everything up to an encoder, in a pool that lives as long as the test.
func newHost(t *testing.T, o Options) *host {
	t.Helper()
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Pool())
	h := &host{Fake: f, t: t}
	h.device = f.Device()
	h.queue = h.send(h.device, "newCommandQueue")
	options := h.send(h.send(f.Class("MTLCompileOptions"), "alloc"), "init")
	h.send(options, "setLanguageVersion:", oldestLanguage)
	h.library = h.send(h.device, "newLibraryWithSource:options:error:", uintptr(f.String(source)), uintptr(options), 0)
	h.send(options, "release")
	values := h.send(h.send(f.Class("MTLFunctionConstantValues"), "alloc"), "init")
	one := int32(1)
	h.send(values, "setConstantValue:type:atIndex:", uintptr(unsafe.Pointer(&one)), 29, 1)
	function := h.send(h.library, "newFunctionWithName:constantValues:error:", uintptr(f.String("copy")), uintptr(values), 0)
	h.send(values, "release")
	h.pipeline = h.send(h.device, "newComputePipelineStateWithFunction:error:", uintptr(function), 0)
	h.send(function, "release")
	h.buffer = h.send(h.device, "newBufferWithLength:options:", 1024, 0)
	h.command = h.send(h.queue, "commandBuffer")
	h.encoder = h.send(h.command, "computeCommandEncoderWithDispatchType:", 1)
	if p := f.Problems(); len(p) > 0 {
		t.Fatal(p)
	}
	return h
}

// bind binds all arguments of the kernel: 64 bytes from offset 0 to offset to.
func (h *host) bind(to uintptr) {
	args := [2]int32{16, 0}
	h.send(h.encoder, "setComputePipelineState:", uintptr(h.pipeline))
	h.send(h.encoder, "setBytes:length:atIndex:", uintptr(unsafe.Pointer(&args)), 8, 0)
	h.Range(64)
	h.send(h.encoder, "setBuffer:offset:atIndex:", uintptr(h.buffer), 0, 1)
	h.Range(64)
	h.send(h.encoder, "setBuffer:offset:atIndex:", uintptr(h.buffer), to, 2)
	h.send(h.encoder, "setThreadgroupMemoryLength:atIndex:", 128, 0)
}

func (h *host) dispatch() {
	h.SendSizes(h.encoder, h.Sel("dispatchThreadgroups:threadsPerThreadgroup:"), objc.Size{Width: 1, Height: 1, Depth: 1}, objc.Size{Width: 32, Height: 1, Depth: 1})
}

func (h *host) finish() (status objc.ID) {
	h.send(h.encoder, "endEncoding")
	h.send(h.command, "commit")
	h.send(h.command, "waitUntilCompleted")
	return h.send(h.command, "status")
}

// buffers requests n buffers and returns which of them exist.
func (h *host) buffers(n int) (there string) {
	for range n {
		if h.send(h.device, "newBufferWithLength:options:", 64, 0) != 0 {
			there += "yes "
		} else {
			there += "no "
		}
	}
	return there
}

func (h *host) release() {
	for _, id := range []objc.ID{h.buffer, h.pipeline, h.library, h.queue, h.device} {
		h.send(id, "release")
	}
}

func TestCommandBufferRuns(t *testing.T) {
	e := &doubling{t: t}
	h := newHost(t, Options{Executor: e})
	x := floats(memoryAt(uintptr(h.send(h.buffer, "contents")), 1024))
	for i := range 16 {
		x[i] = float32(i)
	}
	h.bind(64)
	h.dispatch()
	h.send(h.encoder, "memoryBarrierWithScope:", 1)
	h.send(h.encoder, "setBufferOffset:atIndex:", 128, 2) // to the end: no declared reads
	h.Range(64)
	h.send(h.encoder, "setBufferOffset:atIndex:", 64, 1)
	h.Range(64)
	h.send(h.encoder, "setBufferOffset:atIndex:", 128, 2)
	h.dispatch()
	if status := h.finish(); status != completed {
		t.Fatalf("status %d: %v", status, h.Problems())
	}
	for i := range 16 {
		if x[16+i] != 2*x[i] || x[32+i] != 4*x[i] {
			t.Fatalf("value %d: %v, then %v, then %v", i, x[i], x[16+i], x[32+i])
		}
	}
	if s := h.Stats(); s.Dispatches != 2 || s.Barriers != 1 || s.Commands != 1 {
		t.Errorf("counted are %+v", s)
	}
	h.release()
	if err := h.Close(); err != nil || e.freed != 1 {
		t.Errorf("%v, %d buffers freed", err, e.freed)
	}
}

// Every mistake of a host is reported with a sentence, and the command buffer fails.
func TestHostMistakes(t *testing.T) {
	type mistake struct {
		say string
		do  func(h *host)
	}
	for name, m := range map[string]mistake{
		"an unknown message": {"does not understand dispatchThreadGroups:", func(h *host) {
			h.send(h.encoder, "dispatchThreadGroups:threadsPerThreadgroup:", 0, 0)
		}},
		"another class":       {"MTLCommandBuffer does not understand endEncoding", func(h *host) { h.send(h.command, "endEncoding") }},
		"too few arguments":   {"takes 2 arguments and is sent 1", func(h *host) { h.send(h.encoder, "setThreadgroupMemoryLength:atIndex:", 64) }},
		"sizes as words":      {"takes sizes by value", func(h *host) { h.send(h.encoder, "dispatchThreadgroups:threadsPerThreadgroup:", 1, 1) }},
		"words as sizes":      {"does not take two sizes", func(h *host) { h.SendSizes(h.encoder, h.Sel("setBufferOffset:atIndex:"), objc.Size{}, objc.Size{}) }},
		"nil":                 {"is sent to nil", func(h *host) { h.send(0, "commit") }},
		"a released object":   {"an object that is gone", func(h *host) { h.send(h.buffer, "release"); h.send(h.buffer, "contents") }},
		"a released argument": {"wants a living MTLBuffer", func(h *host) { h.send(h.buffer, "release"); h.bind(64) }},
		"another class's":     {"wants a living MTLBuffer", func(h *host) { h.send(h.encoder, "setBuffer:offset:atIndex:", uintptr(h.queue), 0, 1) }},
		"no pointer":          {"wants a pointer", func(h *host) { h.send(h.encoder, "setBytes:length:atIndex:", 0, 8, 0) }},
		"long bytes": {"setBytes: with 4097 bytes", func(h *host) {
			h.send(h.encoder, "setBytes:length:atIndex:", uintptr(h.send(h.buffer, "contents")), 4097, 0)
		}},
		"an index too high":    {"the last is 30", func(h *host) { h.send(h.encoder, "setBuffer:offset:atIndex:", uintptr(h.buffer), 0, 31) }},
		"an offset outside":    {"cannot be bound", func(h *host) { h.send(h.encoder, "setBuffer:offset:atIndex:", uintptr(h.buffer), 1024, 1) }},
		"a crooked offset":     {"cannot be bound", func(h *host) { h.send(h.encoder, "setBuffer:offset:atIndex:", uintptr(h.buffer), 2, 1) }},
		"a range outside":      {"cannot be bound", func(h *host) { h.Range(1025); h.send(h.encoder, "setBuffer:offset:atIndex:", uintptr(h.buffer), 0, 1) }},
		"an offset of nothing": {"where no buffer is bound", func(h *host) { h.send(h.encoder, "setBufferOffset:atIndex:", 0, 1) }},
		"crooked threadgroups": {"threadgroup memory of 20 bytes", func(h *host) { h.send(h.encoder, "setThreadgroupMemoryLength:atIndex:", 20, 0) }},
		"another barrier":      {"a barrier with scope 2", func(h *host) { h.send(h.encoder, "memoryBarrierWithScope:", 2) }},
		"no pipeline":          {"a dispatch without a pipeline", func(h *host) { h.dispatch() }},
		"nothing bound":        {"nothing is bound at index 0", func(h *host) { h.send(h.encoder, "setComputePipelineState:", uintptr(h.pipeline)); h.dispatch() }},
		"another struct": {"its arguments are 8 bytes, 4 are bound", func(h *host) {
			h.bind(64)
			h.send(h.encoder, "setBytes:length:atIndex:", uintptr(h.send(h.buffer, "contents")), 4, 0)
			h.dispatch()
		}},
		"written bytes": {"writes to index 2", func(h *host) {
			h.bind(64)
			h.send(h.encoder, "setBytes:length:atIndex:", uintptr(h.send(h.buffer, "contents")), 64, 2)
			h.dispatch()
		}},
		"a race":                {"with no barrier between them", func(h *host) { h.bind(64); h.dispatch(); h.dispatch() }},
		"a race by one byte":    {"with no barrier between them", func(h *host) { h.bind(64); h.dispatch(); h.bind(124); h.dispatch() }},
		"commit while encoding": {"commit with an open encoder", func(h *host) { h.send(h.command, "commit") }},
		"a second encoder":      {"while another is open", func(h *host) { h.send(h.command, "computeCommandEncoderWithDispatchType:", 1) }},
		"after the end":         {"a command comes after endEncoding", func(h *host) { h.send(h.encoder, "endEncoding"); h.send(h.encoder, "endEncoding") }},
		"waiting too early":     {"waitUntilCompleted before commit", func(h *host) { h.send(h.command, "waitUntilCompleted") }},
		"an empty buffer":       {"a buffer of no bytes", func(h *host) { h.send(h.device, "newBufferWithLength:options:", 0, 0) }},
		"a long buffer":         {"the device's limit", func(h *host) { h.send(h.device, "newBufferWithLength:options:", 1<<40, 0) }},
		"private storage":       {"shared storage is 0", func(h *host) { h.send(h.device, "newBufferWithLength:options:", 64, 32) }},
		"a crooked mapping": {"both have to be multiples of", func(h *host) {
			h.send(h.device, "newBufferWithBytesNoCopy:length:options:deallocator:", uintptr(h.send(h.buffer, "contents"))|8, 64, 0, 0)
		}},
		"a block": {"calls no blocks", func(h *host) {
			h.send(h.device, "newBufferWithBytesNoCopy:length:options:deallocator:", 1<<16, 1<<16, 0, 1)
		}},
		"a float constant": {"all of ours are int", func(h *host) {
			values := h.send(h.send(h.Class("MTLFunctionConstantValues"), "alloc"), "init")
			h.send(values, "setConstantValue:type:atIndex:", uintptr(h.send(h.buffer, "contents")), 3, 1)
		}},
		"fast math": {"safe math", func(h *host) {
			o := h.send(h.send(h.Class("MTLCompileOptions"), "alloc"), "init")
			h.send(o, "setMathMode:", 2)
		}},
		"another activity": {"an activity begins with options 0xffffff", func(h *host) {
			h.send(h.send(h.Class("NSProcessInfo"), "processInfo"), "beginActivityWithOptions:reason:", 0xffffff, uintptr(h.String("work")))
		}},
		"an activity ended twice": {"no activity under way", func(h *host) {
			process := h.send(h.Class("NSProcessInfo"), "processInfo")
			activity := h.send(process, "beginActivityWithOptions:reason:", userInitiated, uintptr(h.String("work")))
			h.send(process, "endActivity:", uintptr(activity))
			h.send(process, "endActivity:", uintptr(activity))
		}},
		"an activity that goes on": {"dropped before endActivity:", func(h *host) {
			defer h.Pool()()
			h.send(h.send(h.Class("NSProcessInfo"), "processInfo"), "beginActivityWithOptions:reason:", userInitiated, uintptr(h.String("work")))
		}},
		"a set that is resident": {"dropped before endResidency", func(h *host) {
			descriptor := h.send(h.send(h.Class("MTLResidencySetDescriptor"), "alloc"), "init")
			set := h.send(h.device, "newResidencySetWithDescriptor:error:", uintptr(descriptor), 0)
			h.send(set, "requestResidency")
			h.send(set, "release")
		}},
		"no pool": {"without a pool", func(h *host) {
			done := make(chan struct{})
			go func() { defer close(done); h.Fake.String("text") }()
			<-done
		}},
		"a string of another": {"a string is read from what is none", func(h *host) { h.GoString(h.queue) }},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, Options{})
			m.do(h)
			if p := strings.Join(h.Problems(), "\n"); !strings.Contains(p, m.say) {
				t.Fatalf("told is %q, want %q", p, m.say)
			}
			if name == "commit while encoding" || name == "after the end" {
				return
			}
			if status := h.finish(); status != failed {
				t.Errorf("the command buffer ends with status %d", status)
			}
			if h.Close() == nil {
				t.Error("closing tells nothing")
			}
		})
	}
}

func TestLeaksAreListed(t *testing.T) {
	h := newHost(t, Options{})
	h.finish()
	h.send(h.queue, "release")
	left := strings.Join(h.Leaks(), ", ")
	for _, want := range []string{"MTLBuffer of 1024 bytes", "MTLLibrary", "MTLComputePipelineState", "MTLDevice"} {
		if !strings.Contains(left, want) {
			t.Errorf("%q lacks %s", left, want)
		}
	}
	if strings.Contains(left, "MTLCommandQueue") {
		t.Errorf("%q has what was released", left)
	}
}

// A buffer lives until the command buffers that use it have finished.
func TestCommandBuffersHold(t *testing.T) {
	e := &doubling{t: t}
	h := newHost(t, Options{Executor: e})
	h.bind(64)
	h.dispatch()
	h.send(h.buffer, "release")
	if e.freed != 0 {
		t.Fatal("the memory is freed while a command buffer needs it")
	}
	if status := h.finish(); status != completed || e.freed != 1 {
		t.Errorf("status %d, %d buffers freed: %v", status, e.freed, h.Problems())
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		check func(h *host, x []float32) bool
	}{
		{Fault{Kind: FailCommand, At: 1, Code: CodeDeviceRemoved}, func(h *host, x []float32) bool {
			status := h.finish()
			failure := h.send(h.command, "error")
			reason := h.GoString(h.send(failure, "localizedDescription"))
			return status == failed && h.send(failure, "code") == CodeDeviceRemoved && strings.Contains(reason, "removed") && x[17] == 0
		}},
		{Fault{Kind: FailCommand, At: 2}, func(h *host, x []float32) bool { return h.finish() == completed && x[17] == 2 }},
		{Fault{Kind: WriteZeros, At: 1}, func(h *host, x []float32) bool { return h.finish() == completed && x[17] == 0 }},
		{Fault{Kind: WriteNaN, At: 1}, func(h *host, x []float32) bool { return h.finish() == completed && x[17] != x[17] }},
		{Fault{Kind: FlipValue, At: 1}, func(h *host, x []float32) bool {
			wrong := 0
			h.finish()
			for i := range 16 {
				if x[16+i] != 2*x[i] {
					wrong++
				}
			}
			return wrong == 1
		}},
		{Fault{Kind: RefuseBuffer, At: 2}, func(h *host, _ []float32) bool { return h.buffers(3) == "yes no yes " }},
		{Fault{Kind: RefuseBuffer, At: 2, Lasting: true}, func(h *host, _ []float32) bool { return h.buffers(3) == "yes no no " }},
		{Fault{Kind: Hang, At: 1}, func(h *host, _ []float32) bool {
			done := make(chan struct{})
			go func() { defer close(done); h.finish() }()
			select {
			case <-done:
				return false
			default:
			}
			h.Close()
			<-done
			return h.send(h.command, "status") == failed
		}},
	} {
		h := newHost(t, Options{Executor: &doubling{t: t}})
		x := floats(memoryAt(uintptr(h.send(h.buffer, "contents")), 1024))
		for i := range 16 {
			x[i] = float32(i)
		}
		h.bind(64)
		h.dispatch()
		h.Inject(c.fault)
		if !c.check(h, x) {
			t.Errorf("%+v: it happens otherwise; %v", c.fault, h.Problems())
		}
	}
}

// Every declaration in the headers is parsed like those of Apple's headers.
func TestHeaders(t *testing.T) {
	all, err := declarations()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]declaration{}
	for _, d := range all {
		if d.class == noClass {
			t.Errorf("%s belongs to no class", d.selector)
		}
		found[d.class.String()+" "+d.selector] = d
	}
	d := found["MTLDevice newLibraryWithSource:options:error:"]
	if len(d.arguments) != 3 || d.arguments[0] != (argument{object, stringClass}) || d.arguments[1] != (argument{object, optionsClass}) || d.arguments[2].kind != errorRoom || !d.owned {
		t.Errorf("newLibraryWithSource is %+v", d)
	}
	d = found["MTLDevice newBufferWithBytesNoCopy:length:options:deallocator:"]
	if len(d.arguments) != 4 || d.arguments[0].kind != pointer || d.arguments[3].kind != block {
		t.Errorf("newBufferWithBytesNoCopy is %+v", d)
	}
	if d := found["MTLComputeCommandEncoder dispatchThreadgroups:threadsPerThreadgroup:"]; d.arguments[0].kind != size || d.arguments[1].kind != size {
		t.Errorf("dispatchThreadgroups is %+v", d)
	}
	if d := found["MTLCommandQueue commandBuffer"]; d.owned {
		t.Error("commandBuffer gives an autoreleased object")
	}
}
