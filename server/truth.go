package server

import (
	"strconv"

	"inglenook/app/devices"
)

// The headers that tell which device ran, and how many operations ran on another one.
const (
	headerDevice    = "X-Inglenook-Device"
	headerFallbacks = "X-Inglenook-Fallbacks"
)

// truth is what an answer tells of the device that made it, in its field "inglenook".
type truth struct {
	Device    string     `json:"device"`
	Fallbacks []fallback `json:"fallbacks"`
	Notes     []string   `json:"notes,omitempty"` // sentences that belong beside the result
	Ended     string     `json:"ended,omitempty"` // why an answer ended, in our words
	Seed      uint64     `json:"seed,omitempty"`  // gives the same answer again
}

type fallback struct {
	Op     string `json:"op"` // "all" where a device was given up
	Reason string `json:"reason"`
}

// truthOf sums up what ran where; notices are about devices that failed.
func truthOf(device string, list []devices.Fallback, notices, notes []string) truth {
	t := truth{Device: device, Fallbacks: []fallback{}, Notes: notes}
	for _, f := range list {
		t.Fallbacks = append(t.Fallbacks, fallback{f.Op.String(), f.Reason})
	}
	for _, n := range notices {
		t.Fallbacks = append(t.Fallbacks, fallback{"all", n})
	}
	return t
}

// tell puts the truth into the headers, as long as they are not sent.
func (c *call) tell(t truth) {
	c.note.Device = t.Device
	c.w.Header().Set(headerDevice, t.Device)
	c.w.Header().Set(headerFallbacks, strconv.Itoa(len(t.Fallbacks)))
}
