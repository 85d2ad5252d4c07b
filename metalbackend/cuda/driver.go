package cuda

import (
	"fmt"
	"runtime"
	"unsafe"
)

// driver holds the functions of the CUDA driver that launching needs.
type driver struct {
	start          func(flags uint32) int32
	getDevice      func(device *int32, ordinal int32) int32
	deviceName     func(name *byte, n int32, device int32) int32
	attribute      func(value *int32, attribute, device int32) int32
	retainContext  func(context *uintptr, device int32) int32
	releaseContext func(device int32) int32
	setContext     func(context uintptr) int32
	loadModule     func(module *uintptr, image *byte) int32
	unloadModule   func(module uintptr) int32
	getFunction    func(function *uintptr, module uintptr, name string) int32
	setAttribute   func(function uintptr, attribute, value int32) int32
	getGlobal      func(address *uintptr, bytes *uint64, module uintptr, name string) int32
	alloc          func(address *uintptr, bytes uint64) int32
	free           func(address uintptr) int32
	toDevice       func(to uintptr, from *byte, bytes uint64) int32
	toHost         func(to *byte, from uintptr, bytes uint64) int32
	launch         func(function uintptr, gx, gy, gz, bx, by, bz, shared uint32, stream uintptr, arguments *unsafe.Pointer, extra uintptr) int32
	synchronize    func() int32
	newEvent       func(event *uintptr, flags uint32) int32
	record         func(event, stream uintptr) int32
	elapsed        func(ms *float32, start, end uintptr) int32
	destroyEvent   func(event uintptr) int32
	errorString    func(result int32, text **byte) int32
}

func openDriver() (*driver, error) {
	lib, err := open("libcuda.so.1", "libcuda.so")
	if err != nil {
		return nil, fmt.Errorf("no NVIDIA driver is here: %w", err)
	}
	d := &driver{}
	return d, register(lib, map[string]any{
		"cuInit": &d.start, "cuDeviceGet": &d.getDevice, "cuDeviceGetName": &d.deviceName, "cuDeviceGetAttribute": &d.attribute,
		"cuDevicePrimaryCtxRetain": &d.retainContext, "cuDevicePrimaryCtxRelease_v2": &d.releaseContext, "cuCtxSetCurrent": &d.setContext,
		"cuModuleLoadData": &d.loadModule, "cuModuleUnload": &d.unloadModule, "cuModuleGetFunction": &d.getFunction,
		"cuFuncSetAttribute": &d.setAttribute, "cuModuleGetGlobal_v2": &d.getGlobal,
		"cuMemAlloc_v2": &d.alloc, "cuMemFree_v2": &d.free, "cuMemcpyHtoD_v2": &d.toDevice, "cuMemcpyDtoH_v2": &d.toHost,
		"cuLaunchKernel": &d.launch, "cuCtxSynchronize": &d.synchronize, "cuEventCreate": &d.newEvent, "cuEventRecord": &d.record,
		"cuEventElapsedTime": &d.elapsed, "cuEventDestroy_v2": &d.destroyEvent, "cuGetErrorString": &d.errorString,
	})
}

// fault returns an error that names a failed call, or nil.
func (d *driver) fault(call string, result int32) error {
	if result == 0 {
		return nil
	}
	var text *byte
	if d.errorString(result, &text) != 0 || text == nil {
		return fmt.Errorf("CUDA: %s: error %d", call, result)
	}
	return fmt.Errorf("CUDA: %s: %s", call, goString(text))
}

// The numbers of CUdevice_attribute and CUfunction_attribute.
const (
	attributeMajor      = 75
	attributeMinor      = 76
	maxSharedBytes      = 8
	plainSharedBytes    = 48 << 10 // a kernel that needs more must request it
	deviceNameBytes     = 256
	firstDevice         = 0
	streamOfThisContext = 0
)

// bind makes the context current on this goroutine's thread, until the returned
// function is called.
func (d *driver) bind(context uintptr) (undo func(), err error) {
	runtime.LockOSThread()
	if err := d.fault("cuCtxSetCurrent", d.setContext(context)); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	return runtime.UnlockOSThread, nil
}
