package pool

import (
	"context"

	"inglenook/app/devices"
	"inglenook/app/library"
)

// free is the memory that may still be taken where a model is to run.
type free struct {
	bytes    int64 // 0: unknown
	ofDevice bool  // the device sets the limit, so models elsewhere need not go
}

// roomFor returns what may be taken on a device: what is free in memory (0 where that
// is unknown), and not more than the device can work with.
func roomFor(memory int64, device string, onDevice func(string) (int64, bool)) free {
	if room, known := onDevice(device); known && (memory <= 0 || room < memory) {
		return free{max(1, room), true} // 0 would be unknown
	}
	return free{bytes: memory}
}

// most is how many bytes a model could take on a device once all models there are
// closed that nobody works with; 0: there is no limit that we know, or the model is
// open there.
func (p *Pool) most(e library.Entry, device string) int64 {
	bytes, known := p.devices.Room(device)
	if !known || p.openSet.has(e.ID, device) {
		return 0
	}
	for _, x := range p.openSet.resting() {
		if x.wanted.device == device {
			bytes += x.wanted.Bytes
		}
	}
	return max(1, bytes)
}

// HasRoom reports whether a model is open, or can be opened without closing another one.
func (p *Pool) HasRoom(ctx context.Context, e library.Entry, t devices.Target) bool {
	where, err := p.Choose(ctx, t, &e, nil)
	if err != nil {
		return false
	}
	if p.openSet.has(e.ID, where.Device) {
		return true
	}
	free := p.openSet.free(where.Device)
	return free.bytes <= 0 || p.Wanted(ctx, e, where, t.Hold).Bytes <= free.bytes
}

// has reports whether a model is open on a device.
func (s *openSet) has(model, device string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.slots {
		if x.key.model == model && x.wanted.device == device {
			return true
		}
	}
	return false
}
