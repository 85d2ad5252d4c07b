package pool

import (
	"io/fs"
	"log/slog"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/servers"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/pipeline/memory"
)

// Pool opens models on the devices that suit them and keeps them open after their
// use, as long as there is memory.
type Pool struct {
	log     *slog.Logger
	devices *devices.Service
	library *library.Service
	openers *Openers
	servers *servers.Service
	openSet *openSet
}

// New returns a pool without open models.
func New(log *slog.Logger, devices *devices.Service, library *library.Service, servers *servers.Service, o *Openers) *Pool {
	return &Pool{log: log, devices: devices, library: library, servers: servers, openers: o, openSet: newOpenSet(func(device string) free {
		return roomFor(o.Free(), device, devices.Room)
	})}
}

// Needs says what a checkpoint would take in memory on some backends.
func (p *Pool) Needs(checkpoint fs.FS, bs []engine.Backend, o pipeline.OutlineOptions) (memory.Needs, error) {
	return p.openers.Needs(checkpoint, bs, o)
}

// SetHolder says who keeps models borrowed between two uses.
func (p *Pool) SetHolder(h Holder) { p.openSet.holder = h }

// Close closes the models; those still in use at the end of that.
func (p *Pool) Close() error { return p.openSet.close() }
