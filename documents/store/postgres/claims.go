package postgres

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"

	"inglenook/documents/store"
)

// mostClaims bounds the locks that a process holds at once: a server has room for 6,400 as it is
// set up at first.
const mostClaims = 512

// claims implements store.Claims by advisory locks of a connection of its own, so that they end with
// the process. Locks that a broken connection lost are no harm: a content may be worked on twice.
type claims struct {
	config     *pgx.ConnConfig
	collection string
	room       chan struct{} // holds a value for each claim

	mu    sync.Mutex
	conn  *pgx.Conn // nil until the first claim
	taken map[string]bool
}

var _ store.Claimer = (*Collection)(nil)

// Claims implements store.Claimer.
func (c *Collection) Claims() store.Claims {
	return &claims{config: c.store.pool.Config().ConnConfig, collection: c.id, room: make(chan struct{}, mostClaims), taken: map[string]bool{}}
}

// lockOf is the number of the lock of a content.
const lockOf = "(hashtextextended($1 || ' ' || $2, 26))"

// Take implements store.Claims.
func (c *claims) Take(ctx context.Context, content string) (mine bool, err error) {
	select {
	case c.room <- struct{}{}:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil || c.conn.IsClosed() {
		c.conn, err = pgx.ConnectConfig(ctx, c.config)
	}
	if err == nil {
		err = c.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock"+lockOf, c.collection, content).Scan(&mine)
	}
	if !mine {
		<-c.room
		return false, explained(err)
	}
	c.taken[content] = true
	return true, nil
}

// Give implements store.Claims.
func (c *claims) Give(ctx context.Context, content string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.taken[content] {
		return
	}
	delete(c.taken, content)
	<-c.room
	if _, err := c.conn.Exec(ctx, "SELECT pg_advisory_unlock"+lockOf, c.collection, content); err != nil {
		c.hangUp() // that gives it back as well
	}
}

// Close implements store.Claims.
func (c *claims) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hangUp()
}

// hangUp ends the connection, without waiting for the server. The caller holds the lock.
func (c *claims) hangUp() {
	if c.conn != nil {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = c.conn.Close(ctx)
	}
}
