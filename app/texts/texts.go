// Package texts works on texts: it embeds, compares, scores and tokenizes them, and
// reads them from files.
//
// Use it for work with an embedding model or a reranker. Package chat is for models that
// write.
package texts

import (
	"context"
	"io"
	"log/slog"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/held"
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
	held    *held.Choices
}

// New works with the models of a pool, which read as was chosen.
func New(life *base.Lifetime, log *slog.Logger, devices *devices.Service, library *library.Service, pool *pool.Pool, choices *held.Choices) *Service {
	return &Service{life: life, log: log, devices: devices, library: library, pool: pool, held: choices}
}

// with opens a model that find returns, and calls work with it. The model goes back to the
// pool at the end. The context of work also ends with the program.
func with[M io.Closer, R any](ctx context.Context, s *Service, model string,
	find func(context.Context, string) (library.Entry, error),
	open func(context.Context, library.Entry) (pool.Opened[M], error),
	work func(context.Context, library.Entry, pool.Opened[M]) (R, error),
) (result R, err error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return result, err
	}
	defer done()
	defer s.devices.Awake()()
	e, err := find(ctx, model)
	if err != nil {
		return result, err
	}
	opened, err := open(ctx, e)
	if err != nil {
		return result, err
	}
	defer opened.Release()
	return work(ctx, e, opened)
}
