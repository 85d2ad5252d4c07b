package store

import "context"

// A Claimer is a collection that several processes fill at the same time, and that has them
// divide the work.
type Claimer interface {
	// Claims begins the claims of one run.
	Claims() Claims
}

// Claims are the contents that a process works on, so that no other process works on them too.
// They end with Close, and with the process. Their methods may be called at the same time.
type Claims interface {
	// Take claims a content that this process has not claimed, and reports false while another
	// process has it. It waits while this process has as many claims as it may.
	Take(ctx context.Context, content string) (bool, error)
	// Give gives a claim back, if there is one.
	Give(ctx context.Context, content string)
	Close()
}
