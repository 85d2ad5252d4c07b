package fake

import (
	"encoding/json"
	"fmt"
	"strings"
	"unsafe"

	"inglenook/cudabackend/driver"
)

// API returns the functions of the fake driver.
func (f *Fake) API() *driver.API {
	// simple wraps a call that has nothing to check.
	simple := func(call string, do func() int32) int32 {
		f.mu.Lock()
		defer f.mu.Unlock()
		if r := f.enter(call); r != 0 {
			return r
		}
		return do()
	}
	// drop forgets a handle.
	drop := func(call string, all map[uintptr]bool, handle uintptr) int32 {
		return simple(call, func() int32 {
			if !all[handle] {
				return f.wrong(invalidHandle, "%s of %#x", call, handle)
			}
			delete(all, handle)
			return 0
		})
	}
	// make returns a new handle.
	create := func(call string, all map[uintptr]bool, handle *uintptr) int32 {
		return simple(call, func() int32 {
			*handle = f.handle()
			all[*handle] = true
			return 0
		})
	}
	card := func(call string, device int32, do func()) int32 {
		return simple(call, func() int32 {
			if device < 0 || device >= f.Cards {
				return f.wrong(invalidValue, "%s of the device %d", call, device)
			}
			do()
			return 0
		})
	}
	return &driver.API{
		Init:          func(uint32) int32 { return simple("cuInit", func() int32 { return 0 }) },
		DriverVersion: func(v *int32) int32 { return simple("cuDriverGetVersion", func() int32 { *v = 13000; return 0 }) },
		DeviceCount:   func(n *int32) int32 { return simple("cuDeviceGetCount", func() int32 { *n = f.Cards; return 0 }) },
		DeviceGet: func(device *int32, ordinal int32) int32 {
			return card("cuDeviceGet", ordinal, func() { *device = ordinal })
		},
		DeviceName: func(name *byte, n int32, device int32) int32 {
			return card("cuDeviceGetName", device, func() {
				own := f.Name
				if device > 0 {
					own = fmt.Sprintf("%s %d", f.Name, device+1)
				}
				copy(unsafe.Slice(name, n), own+"\x00")
			})
		},
		DeviceMemory: func(bytes *uint64, device int32) int32 {
			return card("cuDeviceTotalMem", device, func() { *bytes = f.Bytes })
		},
		Attribute: func(value *int32, attribute, device int32) int32 {
			return card("cuDeviceGetAttribute", device, func() {
				*value = map[int32]int32{driver.Processors: f.Processors, driver.Major: f.Major, driver.Minor: f.Minor}[attribute]
			})
		},
		RetainContext: func(context *uintptr, device int32) int32 {
			return card("cuDevicePrimaryCtxRetain", device, func() {
				f.contexts++
				*context = f.handle()
				f.cardOf[*context] = device
			})
		},
		ReleaseContext: func(device int32) int32 {
			return card("cuDevicePrimaryCtxRelease", device, func() { f.release() })
		},
		SetContext: func(context uintptr) int32 {
			return simple("cuCtxSetCurrent", func() int32 {
				if context == 0 || f.contexts == 0 {
					return f.wrong(invalidContext, "cuCtxSetCurrent of %#x, with %d contexts", context, f.contexts)
				}
				f.current = f.cardOf[context]
				return 0
			})
		},
		MemoryInfo: func(free, total *uint64) int32 {
			return simple("cuMemGetInfo", func() int32 {
				*free, *total = f.Bytes-min(f.taken, f.Bytes), f.Bytes
				if left, ok := f.Free[f.current]; ok {
					*free = left
				}
				return 0
			})
		},
		LoadModule: func(module *uintptr, code *byte) int32 {
			return simple("cuModuleLoadData", func() int32 {
				m := &image{}
				if err := json.Unmarshal(upToZero(code), m); err != nil {
					return f.wrong(invalidValue, "cuModuleLoadData: %w", err)
				}
				m.module = f.handle()
				f.modules[m.module] = m
				*module = m.module
				return 0
			})
		},
		UnloadModule: func(module uintptr) int32 {
			return simple("cuModuleUnload", func() int32 {
				if f.modules[module] == nil {
					return f.wrong(invalidHandle, "cuModuleUnload of %#x", module)
				}
				delete(f.modules, module)
				return 0
			})
		},
		GetFunction: func(function *uintptr, module uintptr, name string) int32 {
			return simple("cuModuleGetFunction", func() int32 {
				m := f.modules[module]
				if m == nil || strings.TrimPrefix(name, "metal_") != m.Kernel {
					return f.wrong(invalidHandle, "cuModuleGetFunction of %s in %#x", name, module)
				}
				*function = f.handle()
				f.functions[*function] = m
				return 0
			})
		},
		SetAttribute: func(uintptr, int32, int32) int32 {
			return simple("cuFuncSetAttribute", func() int32 { return 0 })
		},
		Alloc: func(address *uintptr, bytes uint64) int32 { return f.alloc(address, bytes) },
		Free:  func(address uintptr) int32 { return f.free(address) },
		AllocHost: func(memory **byte, bytes uint64) int32 {
			return simple("cuMemAllocHost", func() int32 {
				if bytes == 0 {
					return f.wrong(invalidValue, "cuMemAllocHost of nothing")
				}
				own := make([]byte, bytes)
				*memory = &own[0]
				f.ofHost[*memory] = own
				return 0
			})
		},
		FreeHost: func(memory *byte) int32 {
			return simple("cuMemFreeHost", func() int32 {
				if f.ofHost[memory] == nil {
					return f.wrong(invalidValue, "cuMemFreeHost of memory that is not there")
				}
				delete(f.ofHost, memory)
				return 0
			})
		},
		QueueToCard: func(to uintptr, from *byte, bytes uint64, stream uintptr) int32 {
			return f.copy("cuMemcpyHtoDAsync", to, from, bytes, stream, true)
		},
		QueueToHost: func(to *byte, from uintptr, bytes uint64, stream uintptr) int32 {
			return f.copy("cuMemcpyDtoHAsync", from, to, bytes, stream, false)
		},
		QueueFill: func(to uintptr, value byte, bytes uint64, stream uintptr) int32 {
			return simple("cuMemsetD8Async", func() int32 {
				mem := f.at(to)
				if uint64(len(mem)) < bytes || !f.streams[stream] {
					return f.wrong(invalidValue, "cuMemsetD8Async of %d bytes at %#x, where %d are, on the stream %#x", bytes, to, len(mem), stream)
				}
				for i := range mem[:bytes] {
					mem[i] = value
				}
				return 0
			})
		},
		NewStream:    func(stream *uintptr, _ uint32) int32 { return create("cuStreamCreate", f.streams, stream) },
		CloseStream:  func(stream uintptr) int32 { return drop("cuStreamDestroy", f.streams, stream) },
		FinishStream: func(uintptr) int32 { return simple("cuStreamSynchronize", func() int32 { return 0 }) },
		NewEvent:     func(event *uintptr, _ uint32) int32 { return create("cuEventCreate", f.events, event) },
		DestroyEvent: func(event uintptr) int32 { return drop("cuEventDestroy", f.events, event) },
		Record: func(event, stream uintptr) int32 {
			return simple("cuEventRecord", func() int32 {
				if !f.events[event] || !f.streams[stream] {
					return f.wrong(invalidHandle, "cuEventRecord of %#x on the stream %#x", event, stream)
				}
				return 0
			})
		},
		QueryEvent: func(uintptr) int32 { return simple("cuEventQuery", func() int32 { return 0 }) },
		Elapsed: func(ms *float32, _, _ uintptr) int32 {
			return simple("cuEventElapsedTime", func() int32 { *ms = 0.1; return 0 })
		},
		Launch:       f.launch,
		BeginCapture: f.beginCapture, EndCapture: f.endCapture, Instantiate: f.instantiate, Run: f.runGraph,
		DestroyGraph: func(handle uintptr) int32 { return f.destroy("cuGraphDestroy", f.graphs, handle) },
		DestroyRun:   func(handle uintptr) int32 { return f.destroy("cuGraphExecDestroy", f.runs, handle) },
		ErrorString:  func(int32, **byte) int32 { return notInitialized },
	}
}

func (f *Fake) alloc(address *uintptr, bytes uint64) int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.enter("cuMemAlloc"); r != 0 {
		return r
	}
	if bytes == 0 {
		return f.wrong(invalidValue, "cuMemAlloc of nothing")
	}
	if f.taken+bytes > f.Bytes {
		return driver.OutOfMemory
	}
	mem, err := f.run.Alloc(int(bytes))
	if err != nil {
		return driver.OutOfMemory
	}
	f.taken += bytes
	*address = uintptr(unsafe.Pointer(&mem[0]))
	f.memory[*address] = mem[:bytes]
	return 0
}

func (f *Fake) free(address uintptr) int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.enter("cuMemFree"); r != 0 {
		return r
	}
	mem := f.memory[address]
	if mem == nil {
		return f.wrong(invalidValue, "cuMemFree of %#x", address)
	}
	f.taken -= uint64(len(mem))
	delete(f.memory, address)
	if err := f.run.Free(mem); err != nil {
		return f.wrong(invalidValue, "cuMemFree: %w", err)
	}
	return 0
}

// release ends a context, and its memory with it.
func (f *Fake) release() {
	if f.contexts--; f.contexts == 0 {
		for address, mem := range f.memory {
			delete(f.memory, address)
			_ = f.run.Free(mem)
		}
		clear(f.streams)
		clear(f.events)
		clear(f.modules)
		clear(f.functions)
		clear(f.recording)
		clear(f.graphs)
		clear(f.runs)
		f.taken = 0
	}
}

// upToZero returns the bytes before the first zero. Nothing behind it is touched: the
// memory may end there.
func upToZero(first *byte) []byte {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(first), n)) != 0 {
		n++
	}
	return unsafe.Slice(first, n)
}
