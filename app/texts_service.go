package app

import "log/slog"

// TextsService works on texts: it embeds, compares, scores and tokenizes them.
type TextsService struct {
	life    *Lifetime
	log     *slog.Logger
	devices *DevicesService
	library *LibraryService
	pool    *Pool
}

// NewTextsService works with the models of a pool.
func NewTextsService(life *Lifetime, log *slog.Logger, devices *DevicesService, library *LibraryService, pool *Pool) *TextsService {
	return &TextsService{life: life, log: log, devices: devices, library: library, pool: pool}
}
