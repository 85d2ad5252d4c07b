package tokenizer

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// EncodeBatch encodes many texts on all cores. The result has the order of the
// texts. When ctx ends, EncodeBatch finishes the pieces it is encoding (some
// milliseconds each) and returns ctx's error. The first other error ends the
// batch the same way.
func (t *Tokenizer) EncodeBatch(ctx context.Context, texts []string, o Options) ([]Encoding, error) {
	return t.batch(ctx, len(texts), func(ctx context.Context, i int) (Encoding, error) {
		return t.encodeSingle(ctx, texts[i], o)
	})
}

func (t *Tokenizer) batch(ctx context.Context, n int, encode func(context.Context, int) (Encoding, error)) ([]Encoding, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([]Encoding, n)
	var next atomic.Int64
	work := func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			var err error
			if out[i], err = encode(ctx, i); err != nil {
				cancel(err)
				return
			}
		}
	}
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return out, nil
}
