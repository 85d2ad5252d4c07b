package pool

import (
	"log/slog"

	"inglenook/app/devices"
	"inglenook/app/library"
)

// Pool opens models on the devices that suit them and keeps them open after their
// use, as long as there is memory.
type Pool struct {
	log     *slog.Logger
	devices *devices.Service
	library *library.Service
	Openers Openers
	OpenSet *openSet
}

// New returns a pool without open models.
func New(log *slog.Logger, devices *devices.Service, library *library.Service, o Openers) *Pool {
	return &Pool{log: log, devices: devices, library: library, Openers: o, OpenSet: newOpenSet()}
}

// SetHolder says who keeps models borrowed between two uses.
func (p *Pool) SetHolder(h Holder) { p.OpenSet.holder = h }

// Close closes the models; those still in use at the end of that.
func (p *Pool) Close() error { return p.OpenSet.close() }
