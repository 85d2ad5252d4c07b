package postgres

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// answerTimeout is how long the server may take for one statement. A server that is frozen, or behind a
	// network that lets nothing through, keeps a connection open and says nothing.
	answerTimeout = 5 * time.Minute

	// tidyTimeout is how long work that was cancelled may still ask the server.
	tidyTimeout = 500 * time.Millisecond
)

// deadlines ends each statement that takes too long. Indexes of many vectors may take hours.
type deadlines struct{ most time.Duration }

type cancelKey struct{}

// TraceQueryStart implements pgx.QueryTracer: pgx uses the context that it returns.
func (d *deadlines) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if strings.HasPrefix(data.SQL, "CREATE INDEX") {
		return ctx
	}
	return d.start(ctx)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (d *deadlines) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	d.end(ctx)
}

// TraceBatchStart implements pgx.BatchTracer.
func (d *deadlines) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return d.start(ctx)
}

// TraceBatchQuery implements pgx.BatchTracer.
func (d *deadlines) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (d *deadlines) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchEndData) {
	d.end(ctx)
}

func (d *deadlines) start(ctx context.Context) context.Context {
	ctx, cancel := context.WithTimeout(ctx, d.most)
	return context.WithValue(ctx, cancelKey{}, cancel)
}

func (d *deadlines) end(ctx context.Context) {
	if cancel, ok := ctx.Value(cancelKey{}).(context.CancelFunc); ok {
		cancel()
	}
}

// tidying is a context for what must still be done when ctx has ended, for a short time.
func tidying(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), tidyTimeout)
}
