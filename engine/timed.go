package engine

import "context"

type timedKey struct{}

// Timed asks backends that run several operations concurrently to run them one
// after the other and to measure each, in [Tensor.Elapsed]. That is slower:
// measure the speed of a graph in another run.
func Timed(ctx context.Context) context.Context { return context.WithValue(ctx, timedKey{}, true) }

// IsTimed reports whether [Timed] was asked for.
func IsTimed(ctx context.Context) bool { return ctx.Value(timedKey{}) != nil }
