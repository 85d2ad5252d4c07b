package engine

import "context"

type timedKey struct{}

// Timed asks backends that work on several operations at a time to do one after
// the other and to measure each, in [Tensor.Elapsed]. That takes longer than
// without: how fast a graph is has to be measured in another run.
func Timed(ctx context.Context) context.Context { return context.WithValue(ctx, timedKey{}, true) }

// IsTimed reports whether [Timed] was asked for.
func IsTimed(ctx context.Context) bool { return ctx.Value(timedKey{}) != nil }
