package app

import "log/slog"

// Pool opens models on the devices that suit them and keeps them open after their
// use, as long as there is memory.
type Pool struct {
	log     *slog.Logger
	devices *DevicesService
	library *LibraryService
	openers openers
	shelf   *shelf
}

// NewPool returns a pool without open models.
func NewPool(log *slog.Logger, devices *DevicesService, library *LibraryService, o openers) *Pool {
	return &Pool{log: log, devices: devices, library: library, openers: o, shelf: newShelf()}
}

// SetHolder says who keeps models borrowed between two uses.
func (p *Pool) SetHolder(h holder) { p.shelf.holder = h }

// Close closes the models; those still in use at the end of that.
func (p *Pool) Close() error { return p.shelf.close() }
