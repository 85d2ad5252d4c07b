package index

import (
	"context"

	"inglenook/documents/store"
)

// keep writes the files whose passages have their vectors, each in one transaction.
func (r *run) keep(ctx context.Context) {
	for w := range r.ready {
		if ctx.Err() != nil {
			continue // the channel is emptied, so that nobody waits
		}
		w.record.State = store.Indexed
		w.record.Retries = 0
		e, err := r.embedder()
		if err == nil {
			err = r.Collection.Put(ctx, w.record, w.passages, map[string][][]float32{e.ID(): w.vectors})
		}
		r.memory.give(w.memory)
		if err != nil {
			_ = r.broken(err)
			continue
		}
		r.track.kept(w)
		r.follow(ctx, w)
	}
}
