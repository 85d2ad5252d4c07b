package fake

import (
	"unsafe"

	"inglenook/metalbackend/objc"
)

// methods implements the messages of the headers, by class and selector.
var methods = map[string]func(f *Fake, self *thing, words []uintptr) uintptr{
	"class alloc": func(f *Fake, self *thing, _ []uintptr) uintptr {
		return uintptr(f.things.add(classes[self.text]).id)
	},
	"NSObject init": func(_ *Fake, self *thing, _ []uintptr) uintptr { return uintptr(self.id) },
	"NSObject retain": func(_ *Fake, self *thing, _ []uintptr) uintptr {
		self.refs++
		return uintptr(self.id)
	},
	"NSObject release": func(f *Fake, self *thing, _ []uintptr) uintptr {
		f.drop(self)
		return 0
	},
	"NSObject autorelease": func(f *Fake, self *thing, _ []uintptr) uintptr {
		f.autorelease(self)
		return uintptr(self.id)
	},
	"NSObject respondsToSelector:": func(f *Fake, self *thing, words []uintptr) uintptr {
		return truth(f.understands(self, objc.Sel(words[0]))) | 0xff00 // only the lowest byte of a BOOL counts
	},

	"NSError localizedDescription": func(f *Fake, self *thing, _ []uintptr) uintptr { return uintptr(f.string(self.text)) },
	"NSError code":                 func(_ *Fake, self *thing, _ []uintptr) uintptr { return uintptr(self.number) },

	"NSArray count":          func(f *Fake, self *thing, _ []uintptr) uintptr { return uintptr(len(self.elements)) },
	"NSArray objectAtIndex:": (*Fake).objectAt,

	"class processInfo": (*Fake).processInfo,
	"NSProcessInfo beginActivityWithOptions:reason:": (*Fake).beginActivity,
	"NSProcessInfo endActivity:":                     (*Fake).endActivity,

	"MTLDevice name": func(f *Fake, _ *thing, _ []uintptr) uintptr { return uintptr(f.string(f.o.Name)) },
	"MTLDevice supportsFamily:": func(f *Fake, _ *thing, words []uintptr) uintptr {
		const apple, metal3 = 1000, 5001
		return truth(words[0] > apple && int(words[0]) <= apple+f.o.Family || words[0] == metal3 && f.o.Family >= 7)
	},
	"MTLDevice recommendedMaxWorkingSetSize": func(f *Fake, _ *thing, _ []uintptr) uintptr { return uintptr(f.o.Memory) },
	"MTLDevice maxBufferLength":              func(f *Fake, _ *thing, _ []uintptr) uintptr { return uintptr(f.o.LongestBuffer) },
	"MTLDevice maxThreadgroupMemoryLength":   func(f *Fake, _ *thing, _ []uintptr) uintptr { return uintptr(f.o.SharedBytes) },
	"MTLDevice newCommandQueue": func(f *Fake, _ *thing, _ []uintptr) uintptr {
		if f.due(NilQueue) != nil {
			return 0
		}
		return uintptr(f.things.add(queueClass).id)
	},
	"MTLDevice newBufferWithLength:options:":                         (*Fake).newBuffer,
	"MTLDevice newBufferWithBytesNoCopy:length:options:deallocator:": (*Fake).newMapped,
	"MTLDevice newLibraryWithSource:options:error:":                  (*Fake).newLibrary,
	"MTLDevice newComputePipelineStateWithFunction:error:":           (*Fake).newPipeline,
	"MTLDevice newResidencySetWithDescriptor:error:": func(f *Fake, _ *thing, words []uintptr) uintptr {
		if f.due(NilResidencySet) != nil {
			return f.fail(words[1], "residency sets are refused")
		}
		t := f.things.add(residencyClass)
		t.set = &residencySet{}
		return uintptr(t.id)
	},

	"MTLCompileOptions setLanguageVersion:": func(_ *Fake, self *thing, words []uintptr) uintptr {
		self.number = int(words[0])
		return 0
	},
	"MTLCompileOptions setMathMode:":                   (*Fake).setMath,
	"MTLCompileOptions setMathFloatingPointFunctions:": nil,
	"MTLCompileOptions setFastMathEnabled:":            (*Fake).setMath,

	"MTLLibrary newFunctionWithName:constantValues:error:":     (*Fake).newFunction,
	"MTLFunctionConstantValues setConstantValue:type:atIndex:": (*Fake).setConstant,
	"MTLComputePipelineState maxTotalThreadsPerThreadgroup":    func(f *Fake, _ *thing, _ []uintptr) uintptr { return uintptr(f.o.MaxThreads) },
	"MTLComputePipelineState threadExecutionWidth":             func(f *Fake, _ *thing, _ []uintptr) uintptr { return uintptr(f.o.SIMDWidth) },
	"MTLComputePipelineState staticThreadgroupMemoryLength":    nil, // our kernels declare none of their own
	"MTLBuffer contents":                                                   func(_ *Fake, self *thing, _ []uintptr) uintptr { return uintptr(unsafe.Pointer(&self.memory[0])) },
	"MTLResidencySet addAllocation:":                                       (*Fake).addAllocation,
	"MTLResidencySet removeAllocation:":                                    (*Fake).removeAllocation,
	"MTLResidencySet commit":                                               (*Fake).commitResidency,
	"MTLResidencySet requestResidency":                                     (*Fake).requestResidency,
	"MTLResidencySet endResidency":                                         (*Fake).endResidency,
	"MTLCommandQueue commandBuffer":                                        (*Fake).commandBuffer,
	"MTLCommandQueue addResidencySet:":                                     nil,
	"MTLCommandBuffer computeCommandEncoderWithDispatchType:":              (*Fake).newEncoder,
	"MTLCommandBuffer commit":                                              (*Fake).commit,
	"MTLCommandBuffer waitUntilCompleted":                                  nil, // see Send
	"MTLCommandBuffer status":                                              func(_ *Fake, self *thing, _ []uintptr) uintptr { return uintptr(self.command.status) },
	"MTLCommandBuffer error":                                               (*Fake).commandError,
	"MTLCommandBuffer GPUStartTime":                                        nil, // see SendFloat
	"MTLCommandBuffer GPUEndTime":                                          nil,
	"MTLComputeCommandEncoder setComputePipelineState:":                    (*Fake).setPipeline,
	"MTLComputeCommandEncoder setBuffer:offset:atIndex:":                   (*Fake).setBuffer,
	"MTLComputeCommandEncoder setBufferOffset:atIndex:":                    (*Fake).setOffset,
	"MTLComputeCommandEncoder setBytes:length:atIndex:":                    (*Fake).setBytes,
	"MTLComputeCommandEncoder setThreadgroupMemoryLength:atIndex:":         (*Fake).setShared,
	"MTLComputeCommandEncoder memoryBarrierWithScope:":                     (*Fake).barrier,
	"MTLComputeCommandEncoder endEncoding":                                 (*Fake).endEncoding,
	"MTLComputeCommandEncoder dispatchThreadgroups:threadsPerThreadgroup:": nil, // see SendSizes
}
