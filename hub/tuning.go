package hub

import (
	"time"

	"inglenook/hub/cache"
)

// tuning holds the sizes and times of transfers. Tests use smaller ones.
type tuning struct {
	connect   time.Duration // to establish a connection
	stall     time.Duration // a request without progress for this long is repeated
	trickle   int64         // bytes within stall that do not count as progress
	answer    time.Duration // timeout of an API request
	firstWait time.Duration // after a first failure; it doubles up to lastWait
	lastWait  time.Duration
	longest   time.Duration // that we accept from a server's Retry-After
	tries     int           // of an API request that a user waits for
	oddities  int           // protocol violations before a transfer gives up
	piece     int64         // bytes per range request
	requests  int           // concurrent, for bytes of files
	files     int           // concurrent, of one repository
	journal   time.Duration // between two writes of a journal
	lag       int64         // bytes that a journal may lag behind
	sync      time.Duration // between two syncs of the data
	beat      time.Duration // between two heartbeats in a journal
	stale     time.Duration // after this long without a heartbeat the process counts as dead
	poll      time.Duration // interval of checks on another process
	reserve   int64         // bytes that are kept free on the disk
	recheck   int64         // bytes after which the free space is checked again
	free      func(dir string) (int64, error)
}

func defaultTuning() tuning {
	return tuning{
		connect: 10 * time.Second, stall: 15 * time.Second, trickle: 4 << 10, answer: 30 * time.Second,
		firstWait: 500 * time.Millisecond, lastWait: time.Minute, longest: 10 * time.Minute,
		tries: 3, oddities: 4,
		piece: 16 << 20, requests: 8, files: 4,
		journal: 250 * time.Millisecond, lag: 64 << 20, sync: 5 * time.Second,
		beat: 5 * time.Second, stale: cache.StaleAfter, poll: 200 * time.Millisecond,
		reserve: 2 << 30, recheck: 256 << 20, free: freeSpace,
	}
}
