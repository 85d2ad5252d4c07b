package hub

import "time"

// tuning are the sizes and times of transfers. Tests use smaller ones.
type tuning struct {
	connect   time.Duration // for a connection to come about
	stall     time.Duration // a request without progress for so long is made anew
	trickle   int64         // bytes within stall that do not count as progress
	answer    time.Duration // a request of the API that takes longer has failed
	firstWait time.Duration // after a first failure; it doubles up to lastWait
	lastWait  time.Duration
	longest   time.Duration // that a server may ask us to wait at once
	tries     int           // of a request of the API that somebody waits for
	oddities  int           // answers against the protocol before a transfer gives up
	piece     int64         // bytes that one request for a part of a file asks for
	requests  int           // for bytes of files, at the same time
	files     int           // of one repository, at the same time
	journal   time.Duration // between two writings of a journal
	lag       int64         // bytes that a journal may lag behind
	sync      time.Duration // between two times that the data is forced to the disk
	beat      time.Duration // between two signs of life in a journal
	stale     time.Duration // without a sign of life a transfer's process is gone
	poll      time.Duration // of what another process does
	reserve   int64         // bytes that stay free on the disk
	recheck   int64         // bytes after which the free space is looked at again
	free      func(dir string) (int64, error)
}

func defaultTuning() tuning {
	return tuning{
		connect: 10 * time.Second, stall: 15 * time.Second, trickle: 4 << 10, answer: 30 * time.Second,
		firstWait: 500 * time.Millisecond, lastWait: time.Minute, longest: 10 * time.Minute,
		tries: 3, oddities: 4,
		piece: 16 << 20, requests: 8, files: 4,
		journal: 250 * time.Millisecond, lag: 64 << 20, sync: 5 * time.Second,
		beat: 5 * time.Second, stale: 30 * time.Second, poll: 200 * time.Millisecond,
		reserve: 2 << 30, recheck: 256 << 20, free: freeSpace,
	}
}
