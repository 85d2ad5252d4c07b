package devices

import (
	"cmp"
	"fmt"

	"inglenook/pipeline"
)

// Hold says how a model is held in memory.
type Hold = pipeline.Hold

// MostSequences is how many texts one model writes at once at most.
const MostSequences = pipeline.MostSequences

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

// Auto is the device that suits the model best.
const Auto = "auto"

// Usual returns the target with "" for what is as usual, so that equal ones are equal values.
func (t Target) Usual() Target {
	if t.Device == Auto {
		t.Device = ""
	}
	t.Hold = t.Hold.Usual()
	return t
}

// OwnThreads reports whether the target names a number of threads for the CPU.
func (t Target) OwnThreads() bool { return t.Device == "cpu" && t.Threads > 0 }

// DeviceID names the target's device, with its threads where it has a number of its own.
func (t Target) DeviceID() string {
	if t.OwnThreads() {
		return fmt.Sprintf("cpu:%d", t.Threads)
	}
	return cmp.Or(t.Device, Auto)
}
