package metalbackend

import (
	"errors"
	"runtime"
	"unsafe"

	"inglenook/metalbackend/objc"
)

// selectors holds the names of all messages to Metal, registered once.
type selectors struct {
	// NSObject, NSString, NSError
	alloc, init, retain, release, autorelease, respondsTo, code, description objc.Sel

	// NSArray
	count, objectAt objc.Sel

	// MTLDevice
	name, supportsFamily, workingSet, longestBuffer, sharedBytes          objc.Sel
	newQueue, newBuffer, newMapped, newLibrary, newPipeline, newResidency objc.Sel

	// MTLCompileOptions, MTLFunctionConstantValues, MTLLibrary, MTLComputePipelineState
	setLanguage, setMathMode, setMathFunctions, setFastMath, setConstant, newFunction, maxThreads, simdWidth, staticShared objc.Sel

	// MTLBuffer, MTLResidencySet
	contents, addAllocation, removeAllocation, requestResidency, endResidency objc.Sel

	// MTLCommandQueue, MTLCommandBuffer
	addResidency, commandBuffer, encoder, commit, wait, status, failure, gpuStart, gpuEnd objc.Sel

	// MTLComputeCommandEncoder
	setPipeline, setBuffer, setOffset, setBytes, setShared, barrier, dispatch, endEncoding objc.Sel
}

func register(rt objc.Runtime) (s selectors) {
	for name, sel := range map[string]*objc.Sel{
		"alloc": &s.alloc, "init": &s.init, "retain": &s.retain, "release": &s.release, "autorelease": &s.autorelease,
		"respondsToSelector:": &s.respondsTo, "code": &s.code, "localizedDescription": &s.description,

		"count": &s.count, "objectAtIndex:": &s.objectAt,

		"name": &s.name, "supportsFamily:": &s.supportsFamily,
		"recommendedMaxWorkingSetSize": &s.workingSet, "maxBufferLength": &s.longestBuffer,
		"maxThreadgroupMemoryLength": &s.sharedBytes, "newCommandQueue": &s.newQueue,
		"newBufferWithLength:options:":                         &s.newBuffer,
		"newBufferWithBytesNoCopy:length:options:deallocator:": &s.newMapped,
		"newLibraryWithSource:options:error:":                  &s.newLibrary,
		"newComputePipelineStateWithFunction:error:":           &s.newPipeline,
		"newResidencySetWithDescriptor:error:":                 &s.newResidency,

		"setLanguageVersion:": &s.setLanguage, "setMathMode:": &s.setMathMode, "setMathFloatingPointFunctions:": &s.setMathFunctions,
		"setFastMathEnabled:": &s.setFastMath, "setConstantValue:type:atIndex:": &s.setConstant,
		"newFunctionWithName:constantValues:error:": &s.newFunction,
		"maxTotalThreadsPerThreadgroup":             &s.maxThreads, "threadExecutionWidth": &s.simdWidth,
		"staticThreadgroupMemoryLength": &s.staticShared,

		"contents": &s.contents, "addAllocation:": &s.addAllocation, "removeAllocation:": &s.removeAllocation,
		"requestResidency": &s.requestResidency, "endResidency": &s.endResidency,

		"addResidencySet:": &s.addResidency, "commandBuffer": &s.commandBuffer,
		"computeCommandEncoderWithDispatchType:": &s.encoder, "commit": &s.commit,
		"waitUntilCompleted": &s.wait, "status": &s.status, "error": &s.failure,
		"GPUStartTime": &s.gpuStart, "GPUEndTime": &s.gpuEnd,

		"setComputePipelineState:": &s.setPipeline, "setBuffer:offset:atIndex:": &s.setBuffer,
		"setBufferOffset:atIndex:": &s.setOffset, "setBytes:length:atIndex:": &s.setBytes,
		"setThreadgroupMemoryLength:atIndex:": &s.setShared, "memoryBarrierWithScope:": &s.barrier,
		"dispatchThreadgroups:threadsPerThreadgroup:": &s.dispatch, "endEncoding": &s.endEncoding,
	} {
		*sel = rt.Sel(name)
	}
	return s
}

// The values of Metal's enumerations that are used here.
const (
	storageShared      = 0       // MTLResourceStorageModeShared
	dispatchConcurrent = 1       // MTLDispatchTypeConcurrent
	scopeBuffers       = 1       // MTLBarrierScopeBuffers
	typeInt            = 29      // MTLDataTypeInt
	language24         = 0x20004 // MTLLanguageVersion2_4
	mathSafe           = 0       // MTLMathModeSafe
	functionsPrecise   = 1       // MTLMathFloatingPointFunctionsPrecise
	statusCompleted    = 4       // MTLCommandBufferStatusCompleted
	familyApple        = 1000
)

// system is the runtime with its selectors and the one GPU.
type system struct {
	objc.Runtime
	sel    selectors
	device objc.ID
}

// newSystem registers the selectors and finds the GPU: the default one, else the
// first of all with the instructions that the kernels need, else the first. On
// some Macs there is no default although the list has a GPU, above all outside
// of a session with a window. device is 0 if there is none; the caller releases
// it.
func newSystem(rt objc.Runtime) *system {
	s := &system{Runtime: rt, sel: register(rt), device: rt.Device()}
	if s.device != 0 {
		return s
	}
	all := rt.Devices()
	if all == 0 {
		return s
	}
	defer s.Send(all, s.sel.release)
	n := s.Send(all, s.sel.count) // an index beyond it would end the program
	for i := range n {
		d := objc.ID(s.Send(all, s.sel.objectAt, i))
		able := yes(s.Send(d, s.sel.supportsFamily, familyApple+leastFamily))
		if able || s.device == 0 {
			s.device = d
		}
		if able {
			break
		}
	}
	if s.device != 0 {
		s.Send(s.device, s.sel.retain)
	}
	return s
}

// make sends a message that returns a new object or an NSError, which becomes a
// *metalError. A new object beside an NSError is no failure: the NSError is then a
// warning. arguments end with space for it.
func (s *system) make(what string, obj objc.ID, sel objc.Sel, arguments ...uintptr) (objc.ID, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	failure := new(objc.ID) // on the heap: Metal writes to it, and the stack may move meanwhile
	pin.Pin(failure)
	arguments[len(arguments)-1] = uintptr(unsafe.Pointer(failure))
	made := objc.ID(s.Send(obj, sel, arguments...))
	if made != 0 {
		return made, nil
	}
	return 0, &metalError{what, s.reason(*failure)}
}

// metalError is a refusal of Metal.
type metalError struct{ what, reason string }

// Error states what failed and the first lines of Metal's reason, which for a
// compiler may have hundreds.
func (e *metalError) Error() string { return e.what + ": " + firstLines(e.reason, 5) }

// wholeReason returns all that Metal said about an error.
func wholeReason(err error) string {
	if m, ok := errors.AsType[*metalError](err); ok {
		return m.reason
	}
	return err.Error()
}

// reason returns the description of an NSError.
func (s *system) reason(failure objc.ID) string {
	if failure == 0 {
		return "Metal gave no reason"
	}
	return s.GoString(objc.ID(s.Send(failure, s.sel.description)))
}

// instance returns a new object of a class, 0 if this system has no such class.
func (s *system) instance(class string) objc.ID {
	c := s.Class(class)
	if c == 0 {
		return 0
	}
	return objc.ID(s.Send(objc.ID(s.Send(c, s.sel.alloc)), s.sel.init))
}

// responds reports whether an object understands a message on this system. One
// that it does not understand would end the program.
func (s *system) responds(obj objc.ID, sel objc.Sel) bool {
	return yes(s.Send(obj, s.sel.respondsTo, uintptr(sel)))
}

// yes reads a BOOL, of which only the lowest byte is defined.
func yes(word uintptr) bool { return byte(word) != 0 }
