// Package driver calls NVIDIA's driver, which is opened at run time without cgo: a
// machine that has none is no error until somebody asks.
//
// An [API] is a table of functions, so that tests can put functions of their own there.
package driver

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// API holds the functions of the CUDA driver that this program calls, by the names and
// arguments of cuda.h. Each returns a CUresult, 0 where it succeeded.
type API struct {
	Init          func(flags uint32) int32
	DriverVersion func(version *int32) int32
	DeviceCount   func(n *int32) int32
	DeviceGet     func(device *int32, ordinal int32) int32
	DeviceName    func(name *byte, n int32, device int32) int32
	DeviceMemory  func(bytes *uint64, device int32) int32
	Attribute     func(value *int32, attribute, device int32) int32

	RetainContext  func(context *uintptr, device int32) int32
	ReleaseContext func(device int32) int32
	SetContext     func(context uintptr) int32
	Synchronize    func() int32
	MemoryInfo     func(free, total *uint64) int32

	LoadModule   func(module *uintptr, image *byte) int32
	UnloadModule func(module uintptr) int32
	GetFunction  func(function *uintptr, module uintptr, name string) int32
	SetAttribute func(function uintptr, attribute, value int32) int32
	GetGlobal    func(address *uintptr, bytes *uint64, module uintptr, name string) int32

	Alloc        func(address *uintptr, bytes uint64) int32
	Free         func(address uintptr) int32
	AllocHost    func(memory **byte, bytes uint64) int32
	FreeHost     func(memory *byte) int32
	ToDevice     func(to uintptr, from *byte, bytes uint64) int32
	ToHost       func(to *byte, from uintptr, bytes uint64) int32
	QueueToCard  func(to uintptr, from *byte, bytes uint64, stream uintptr) int32
	QueueToHost  func(to *byte, from uintptr, bytes uint64, stream uintptr) int32
	QueueFill    func(to uintptr, value byte, bytes uint64, stream uintptr) int32
	NewStream    func(stream *uintptr, flags uint32) int32
	CloseStream  func(stream uintptr) int32
	FinishStream func(stream uintptr) int32

	NewEvent     func(event *uintptr, flags uint32) int32
	Record       func(event, stream uintptr) int32
	QueryEvent   func(event uintptr) int32
	Elapsed      func(ms *float32, start, end uintptr) int32
	DestroyEvent func(event uintptr) int32

	Launch       func(l *Launch, function uintptr, arguments *unsafe.Pointer, extra uintptr) int32
	BeginCapture func(stream uintptr, mode int32) int32
	EndCapture   func(stream uintptr, graph *uintptr) int32
	Instantiate  func(run *uintptr, graph uintptr, flags uint64) int32
	Run          func(run, stream uintptr) int32
	DestroyGraph func(graph uintptr) int32
	DestroyRun   func(run uintptr) int32
	ErrorString  func(result int32, text **byte) int32
}

// Launch is CUlaunchConfig: the shape of a launch.
type Launch struct {
	Grid, Block [3]uint32
	Shared      uint32 // bytes
	Stream      uintptr
	Attributes  *Attribute
	Count       uint32 // of attributes
}

// Attribute is CUlaunchAttribute: an id and its value.
type Attribute struct {
	ID    int32
	_     int32
	Value int32
	_     [60]byte
}

// BeginEarly with the value 1 is for a kernel that may begin before the one in front of
// it has ended, and waits for that: CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION.
const BeginEarly = 6

// Relaxed is CU_STREAM_CAPTURE_MODE_RELAXED: other threads may call what they like.
const Relaxed = 2

// ErrNone is the error of [Open] where there is no driver.
var ErrNone = errors.New("no NVIDIA driver is here")

// Open opens the driver of this machine.
func Open() (*API, error) {
	lib, err := Library("libcuda.so.1", "libcuda.so")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	launch, err := purego.Dlsym(lib, "cuLaunchKernelEx")
	if err != nil {
		return nil, fmt.Errorf("NVIDIA's driver is older than CUDA 11.8, and has to be newer: %w", err)
	}
	a := &API{}
	// Called hundreds of times a token, which is too often for the reflection of Register.
	a.Launch = func(l *Launch, function uintptr, arguments *unsafe.Pointer, extra uintptr) int32 {
		r, _, _ := purego.SyscallN(launch, uintptr(unsafe.Pointer(l)), function, uintptr(unsafe.Pointer(arguments)), extra)
		return int32(r)
	}
	return a, Register(lib, map[string]any{
		"cuInit": &a.Init, "cuDriverGetVersion": &a.DriverVersion, "cuDeviceGetCount": &a.DeviceCount, "cuDeviceGet": &a.DeviceGet,
		"cuDeviceGetName": &a.DeviceName, "cuDeviceTotalMem_v2": &a.DeviceMemory, "cuDeviceGetAttribute": &a.Attribute,
		"cuDevicePrimaryCtxRetain": &a.RetainContext, "cuDevicePrimaryCtxRelease_v2": &a.ReleaseContext, "cuCtxSetCurrent": &a.SetContext,
		"cuCtxSynchronize": &a.Synchronize, "cuMemGetInfo_v2": &a.MemoryInfo,
		"cuModuleLoadData": &a.LoadModule, "cuModuleUnload": &a.UnloadModule, "cuModuleGetFunction": &a.GetFunction,
		"cuFuncSetAttribute": &a.SetAttribute, "cuModuleGetGlobal_v2": &a.GetGlobal,
		"cuMemAlloc_v2": &a.Alloc, "cuMemFree_v2": &a.Free, "cuMemAllocHost_v2": &a.AllocHost, "cuMemFreeHost": &a.FreeHost, "cuMemcpyHtoD_v2": &a.ToDevice, "cuMemcpyDtoH_v2": &a.ToHost,
		"cuMemcpyHtoDAsync_v2": &a.QueueToCard, "cuMemcpyDtoHAsync_v2": &a.QueueToHost, "cuMemsetD8Async": &a.QueueFill,
		"cuStreamCreate": &a.NewStream, "cuStreamDestroy_v2": &a.CloseStream, "cuStreamSynchronize": &a.FinishStream,
		"cuEventCreate": &a.NewEvent, "cuEventRecord": &a.Record, "cuEventQuery": &a.QueryEvent,
		"cuEventElapsedTime": &a.Elapsed, "cuEventDestroy_v2": &a.DestroyEvent,
		"cuStreamBeginCapture_v2": &a.BeginCapture, "cuStreamEndCapture": &a.EndCapture,
		"cuGraphInstantiateWithFlags": &a.Instantiate, "cuGraphLaunch": &a.Run,
		"cuGraphDestroy": &a.DestroyGraph, "cuGraphExecDestroy": &a.DestroyRun,
		"cuGetErrorString": &a.ErrorString,
	})
}

// Results that callers tell apart.
const (
	OutOfMemory = 2   // CUDA_ERROR_OUT_OF_MEMORY
	NoDevice    = 100 // CUDA_ERROR_NO_DEVICE
	NotReady    = 600 // CUDA_ERROR_NOT_READY: an event that lies ahead
)

// Attributes of a device and of a function.
const (
	Processors            = 16 // multiprocessors
	Major                 = 75 // of the compute capability
	Minor                 = 76
	MaxDynamicSharedBytes = 8        // of a function
	PlainSharedBytes      = 48 << 10 // a kernel that needs more must request it
)

// Flags of streams and events.
const (
	NonBlocking = 1 // a stream that does not wait for the default one
	NoTiming    = 2 // an event that only tells whether it has come
)

// Error is a call of the driver that failed.
type Error struct {
	Call   string
	Result int32  // CUresult
	Text   string // the driver's own, may be empty
}

func (e *Error) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("CUDA: %s: error %d", e.Call, e.Result)
	}
	return fmt.Sprintf("CUDA: %s: %s", e.Call, e.Text)
}

// Fault returns an [*Error] that names a failed call, or nil.
func (a *API) Fault(call string, result int32) error {
	if result == 0 {
		return nil
	}
	e := &Error{Call: call, Result: result}
	var text *byte
	if a.ErrorString(result, &text) == 0 && text != nil {
		e.Text = goString(text)
	}
	return e
}

// Bind makes a context current on this goroutine's thread, until the returned function
// is called.
func (a *API) Bind(context uintptr) (undo func(), err error) {
	runtime.LockOSThread()
	if err := a.Fault("cuCtxSetCurrent", a.SetContext(context)); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	return runtime.UnlockOSThread, nil
}

// Card is one GPU of this machine.
type Card struct {
	Device       int32
	Name         string
	Bytes        uint64 // of its memory
	Processors   int32  // its multiprocessors
	Major, Minor int32  // its compute capability
}

// Architecture returns the card's name for compilers: sm_89. Hopper's is [Hopper].
func (c *Card) Architecture() string {
	if c.Major == 9 && c.Minor == 0 {
		return Hopper
	}
	return fmt.Sprintf("sm_%d%d", c.Major, c.Minor)
}

// Hopper is the architecture whose code may have instructions that no other card has.
const Hopper = "sm_90a"

const nameBytes = 256

// Card describes the GPU with a number. Init must have been called.
func (a *API) Card(ordinal int32) (*Card, error) {
	c := &Card{}
	name := make([]byte, nameBytes)
	for _, step := range []struct {
		call   string
		result func() int32
	}{
		{"cuDeviceGet", func() int32 { return a.DeviceGet(&c.Device, ordinal) }},
		{"cuDeviceGetName", func() int32 { return a.DeviceName(&name[0], nameBytes-1, c.Device) }},
		{"cuDeviceTotalMem", func() int32 { return a.DeviceMemory(&c.Bytes, c.Device) }},
		{"cuDeviceGetAttribute", func() int32 { return a.Attribute(&c.Processors, Processors, c.Device) }},
		{"cuDeviceGetAttribute", func() int32 { return a.Attribute(&c.Major, Major, c.Device) }},
		{"cuDeviceGetAttribute", func() int32 { return a.Attribute(&c.Minor, Minor, c.Device) }},
	} {
		if err := a.Fault(step.call, step.result()); err != nil {
			return nil, err
		}
	}
	c.Name = goString(&name[0])
	return c, nil
}

// goString copies a C string.
func goString(text *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(text), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(text, n))
}
