package fake

import (
	"fmt"
	"regexp"
	"strings"
)

// class is the type of an object.
type class uint8

const (
	noClass class = iota
	anyClass
	metaclass
	stringClass
	errorClass
	arrayClass
	deviceClass
	optionsClass
	libraryClass
	valuesClass
	functionClass
	pipelineClass
	bufferClass
	queueClass
	commandClass
	encoderClass
	descriptorClass
	residencyClass
	processClass
	activityClass
)

// classes maps Apple's names: protocols of Metal, classes of Metal and
// Foundation.
var classes = map[string]class{
	"NSObject": anyClass, "NSString": stringClass, "NSError": errorClass, "NSArray": arrayClass,
	"MTLDevice": deviceClass, "MTLCompileOptions": optionsClass, "MTLLibrary": libraryClass,
	"MTLFunctionConstantValues": valuesClass, "MTLFunction": functionClass,
	"MTLComputePipelineState": pipelineClass, "MTLBuffer": bufferClass, "MTLCommandQueue": queueClass,
	"MTLCommandBuffer": commandClass, "MTLComputeCommandEncoder": encoderClass,
	"MTLResidencySetDescriptor": descriptorClass, "MTLResidencySet": residencyClass,
	"NSProcessInfo": processClass, "_NSActivityAssertion": activityClass,
	"MTLAllocation": bufferClass, // of which this fake has buffers only
}

func (c class) String() string {
	for name, other := range classes {
		if c == other && name != "MTLAllocation" {
			return name
		}
	}
	return "class"
}

// headers declares the messages that this fake knows, as in Apple's headers
// (inherited methods at the protocol that uses them). Host and fake both rely on
// this one list: it defines how arguments are passed and, by Cocoa's naming rule,
// who owns a result.
const headers = `
@NSObject
+ (instancetype)alloc;
- (instancetype)init;
- (instancetype)retain;
- (void)release;
- (instancetype)autorelease;
- (BOOL)respondsToSelector:(SEL)aSelector;

@NSError
- (NSString *)localizedDescription;
- (NSInteger)code;

@NSArray
- (NSUInteger)count;
- (id)objectAtIndex:(NSUInteger)index;

@NSProcessInfo
+ (NSProcessInfo *)processInfo;
- (id<NSObject>)beginActivityWithOptions:(NSActivityOptions)options reason:(NSString *)reason;
- (void)endActivity:(id<NSObject>)activity;

@MTLDevice
- (NSString *)name;
- (BOOL)supportsFamily:(MTLGPUFamily)gpuFamily;
- (uint64_t)recommendedMaxWorkingSetSize;
- (NSUInteger)maxBufferLength;
- (NSUInteger)maxThreadgroupMemoryLength;
- (id<MTLCommandQueue>)newCommandQueue;
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options;
- (id<MTLBuffer>)newBufferWithBytesNoCopy:(void *)pointer length:(NSUInteger)length options:(MTLResourceOptions)options deallocator:(void (^)(void *, NSUInteger))deallocator;
- (id<MTLLibrary>)newLibraryWithSource:(NSString *)source options:(MTLCompileOptions *)options error:(NSError **)error;
- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)computeFunction error:(NSError **)error;
- (id<MTLResidencySet>)newResidencySetWithDescriptor:(MTLResidencySetDescriptor *)desc error:(NSError **)error;

@MTLCompileOptions
- (void)setLanguageVersion:(MTLLanguageVersion)languageVersion;
- (void)setMathMode:(MTLMathMode)mathMode;
- (void)setMathFloatingPointFunctions:(MTLMathFloatingPointFunctions)mathFloatingPointFunctions;
- (void)setFastMathEnabled:(BOOL)fastMathEnabled;

@MTLLibrary
- (id<MTLFunction>)newFunctionWithName:(NSString *)name constantValues:(MTLFunctionConstantValues *)constantValues error:(NSError **)error;

@MTLFunctionConstantValues
- (void)setConstantValue:(const void *)value type:(MTLDataType)type atIndex:(NSUInteger)index;

@MTLComputePipelineState
- (NSUInteger)maxTotalThreadsPerThreadgroup;
- (NSUInteger)threadExecutionWidth;
- (NSUInteger)staticThreadgroupMemoryLength;

@MTLBuffer
- (void *)contents;

@MTLResidencySet
- (void)addAllocation:(id<MTLAllocation>)allocation;
- (void)removeAllocation:(id<MTLAllocation>)allocation;
- (void)commit;
- (void)requestResidency;
- (void)endResidency;

@MTLCommandQueue
- (id<MTLCommandBuffer>)commandBuffer;
- (void)addResidencySet:(id<MTLResidencySet>)residencySet;

@MTLCommandBuffer
- (id<MTLComputeCommandEncoder>)computeCommandEncoderWithDispatchType:(MTLDispatchType)dispatchType;
- (void)commit;
- (void)waitUntilCompleted;
- (MTLCommandBufferStatus)status;
- (NSError *)error;
- (CFTimeInterval)GPUStartTime;
- (CFTimeInterval)GPUEndTime;

@MTLComputeCommandEncoder
- (void)setComputePipelineState:(id<MTLComputePipelineState>)state;
- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void)setBufferOffset:(NSUInteger)offset atIndex:(NSUInteger)index;
- (void)setBytes:(const void *)bytes length:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)setThreadgroupMemoryLength:(NSUInteger)length atIndex:(NSUInteger)index;
- (void)memoryBarrierWithScope:(MTLBarrierScope)scope;
- (void)dispatchThreadgroups:(MTLSize)threadgroupsPerGrid threadsPerThreadgroup:(MTLSize)threadsPerThreadgroup;
- (void)endEncoding;
`

// since15 are the messages that exist from macOS 15 on, by selector.
var since15 = map[string]bool{
	"setMathMode:": true, "setMathFloatingPointFunctions:": true,
	"newResidencySetWithDescriptor:error:": true, "addResidencySet:": true, "addAllocation:": true, "removeAllocation:": true,
	"requestResidency": true, "endResidency": true,
}

// ofResidency are the messages of residency sets to other objects. A device
// without such sets does not know them although the system has the class.
var ofResidency = map[string]bool{"newResidencySetWithDescriptor:error:": true, "addResidencySet:": true}

// kind is how an argument is passed and what is required of it.
type kind uint8

const (
	number    kind = iota
	object         // of a class
	pointer        // to memory, never nil
	errorRoom      // for an NSError *, may be nil
	block          // the host has none: nil
	selector
	size // by value; only SendSizes passes it
)

// argument is one argument of a message.
type argument struct {
	kind  kind
	class class
}

// declaration is one line of the headers.
type declaration struct {
	class     class
	selector  string
	arguments []argument
	owned     bool // the result belongs to the caller
}

var (
	method   = regexp.MustCompile(`^([-+]) \([^)]*\)(.*);$`)
	labelled = regexp.MustCompile(`(\w+:)\(((?:[^()]|\([^()]*\))*)\)\w+`)
	objectOf = regexp.MustCompile(`^(?:id<(\w+)>|(NS\w+|MTL\w+) \*)$`)
)

// declarations parses the headers.
func declarations() (all []declaration, err error) {
	of := noClass
	for _, line := range strings.Split(strings.TrimSpace(headers), "\n") {
		if name, ok := strings.CutPrefix(line, "@"); ok {
			of = classes[name]
			continue
		}
		if line == "" {
			continue
		}
		found := method.FindStringSubmatch(line)
		if found == nil {
			return nil, fmt.Errorf("no declaration: %s", line)
		}
		d := declaration{class: of, selector: found[2]}
		if found[1] == "+" {
			d.class = metaclass
		}
		if strings.Contains(found[2], ":") {
			d.selector = ""
			for _, part := range labelled.FindAllStringSubmatch(found[2], -1) {
				d.selector += part[1]
				d.arguments = append(d.arguments, argumentOf(part[2]))
			}
		}
		d.owned = strings.HasPrefix(d.selector, "new") || strings.HasPrefix(d.selector, "alloc")
		all = append(all, d)
	}
	return all, nil
}

func argumentOf(kindOf string) argument {
	switch kindOf {
	case "NSError **":
		return argument{kind: errorRoom}
	case "SEL":
		return argument{kind: selector}
	case "MTLSize":
		return argument{kind: size}
	case "void *", "const void *":
		return argument{kind: pointer}
	}
	if strings.Contains(kindOf, "(^)") {
		return argument{kind: block}
	}
	if found := objectOf.FindStringSubmatch(kindOf); found != nil {
		return argument{object, classes[found[1]+found[2]]}
	}
	return argument{kind: number}
}
