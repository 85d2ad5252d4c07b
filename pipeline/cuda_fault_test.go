package pipeline

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"inglenook/cudabackend"
	"inglenook/cudabackend/driver"
	"inglenook/cudabackend/fake"
	"inglenook/engine"
	"inglenook/gpu/emulator"
)

// fakeCUDA is the CUDA backend over a driver that can be made to fail, with the CPU as its
// fallback.
func fakeCUDA(t *testing.T) (*fake.Fake, []engine.Backend) {
	t.Helper()
	e, err := emulator.Open("")
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	f := fake.New(e)
	b, err := cudabackend.New(cudabackend.Options{Driver: f.API(), Compile: fake.Compile, Timeout: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return f, append([]engine.Backend{engine.NewGuard(b)}, oneThread(t)...)
}

// Results of cuda.h that a card gives when it fails.
const (
	unavailable    = 46
	illegalAddress = 700
	launchTimeout  = 702
	launchFailed   = 719
)

// TestCUDAFaults: if a card fails at any call, the answer continues like the CPU's after
// the same tokens, and one sentence reports it.
func TestCUDAFaults(t *testing.T) {
	for _, fault := range []struct {
		call   string
		result int32
		lasts  bool   // as long as the program: what follows fails too
		until  string // the last moment at which it is called; empty for all
	}{
		{"cuMemAlloc", unavailable, true, "load"},
		{"cuMemsetD8Async", unavailable, true, "load"},
		{"cuModuleLoadData", unavailable, true, "load"},
		{"cuModuleGetFunction", unavailable, true, "load"},
		{"cuCtxSetCurrent", unavailable, true, ""},
		{"cuMemcpyHtoDAsync", launchFailed, true, ""},
		{"cuMemcpyDtoHAsync", launchFailed, true, ""},
		{"cuStreamSynchronize", illegalAddress, true, ""},
		{"cuLaunchKernelEx", illegalAddress, true, "first token"},
		{"cuStreamBeginCapture", unavailable, true, "first token"},
		{"cuStreamEndCapture", illegalAddress, true, "first token"},
		{"cuGraphInstantiate", unavailable, true, "first token"},
		{"cuGraphLaunch", illegalAddress, true, ""},
		{"cuEventRecord", launchFailed, true, ""},
		{"cuEventQuery", launchTimeout, true, ""},
		{"cuEventQuery", driver.NotReady, true, ""}, // it never comes
	} {
		for _, moment := range []string{"load", "prompt", "first token", "fifth token", "next answer"} {
			t.Run(fmt.Sprintf("%s gives %d, %s", fault.call, fault.result, moment), func(t *testing.T) {
				f, bs := fakeCUDA(t)
				sticky := fault.lasts && fault.result != driver.NotReady
				answersGoOn(t, bs, moment, func() { f.Fail(fault.call, fault.result, 0, sticky) })
			})
			if moment == fault.until { // later tokens run what is loaded and recorded
				break
			}
		}
	}
}
