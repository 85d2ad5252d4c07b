package app

import (
	"cmp"
	"fmt"

	"inglenook/pipeline"
)

// Hold says how a model is held in memory.
type Hold = pipeline.Hold

// WeightTypes are the types in which weights can be held, the usual one first.
func WeightTypes() []string { return pipeline.WeightTypes() }

// CacheTypes are the types of caches of keys and values, the usual one first.
func CacheTypes() []string { return pipeline.CacheTypes() }

// Target says where a model works and how it is held there. The zero value of a
// field leaves the choice to the program.
type Target struct {
	Device  string `json:"device,omitempty"`  // "" or "auto" for the best one, or an id
	Threads int    `json:"threads,omitempty"` // of the CPU; 0: as the settings say
	Hold
}

// auto is the device that suits the model best.
const auto = "auto"

// usual returns the target with "" for what is as usual, so that equal ones are equal values.
func (t Target) usual() Target {
	if t.Device == auto {
		t.Device = ""
	}
	t.Hold = t.Hold.Usual()
	return t
}

// ownThreads reports whether the target names a number of threads for the CPU.
func (t Target) ownThreads() bool { return t.Device == "cpu" && t.Threads > 0 }

// deviceID names the target's device, with its threads where it has a number of its own.
func (t Target) deviceID() string {
	if t.ownThreads() {
		return fmt.Sprintf("cpu:%d", t.Threads)
	}
	return cmp.Or(t.Device, auto)
}
