package texts

import (
	"log/slog"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/pool"
)

// Service works on texts: it embeds, compares, scores and tokenizes them.
type Service struct {
	life    *base.Lifetime
	log     *slog.Logger
	devices *devices.Service
	library *library.Service
	pool    *pool.Pool
}

// New works with the models of a pool.
func New(life *base.Lifetime, log *slog.Logger, devices *devices.Service, library *library.Service, pool *pool.Pool) *Service {
	return &Service{life: life, log: log, devices: devices, library: library, pool: pool}
}
