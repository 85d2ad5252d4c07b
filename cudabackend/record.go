package cudabackend

import (
	"slices"

	"inglenook/cudabackend/driver"
)

// recorder keeps lists of calls that the driver has as graphs: such a list runs at the
// cost of about one call. From one token of an answer to the next the calls are the same;
// what differs lies in memory.
type recorder struct {
	recordings []recording // the one that ran last comes last
}

// recording is a list of calls as a graph.
type recording struct {
	calls []call
	run   uintptr // CUgraphExec
}

const mostRecordings = 8 * mostParts

// launchShort launches a list of which no piece is too long. One that comes twice in a
// row is recorded.
func (b *Backend) launchShort() error {
	at := slices.IndexFunc(b.recordings, func(r recording) bool { return slices.Equal(r.calls, b.calls) })
	switch {
	case at >= 0:
		r := b.recordings[at]
		b.recordings = append(slices.Delete(b.recordings, at, at+1), r)
		return b.callWithRoom("a list of kernels", "cuGraphLaunch", b.api.Run(r.run, b.stream))
	case slices.Equal(b.calls, b.last):
		return b.record()
	}
	b.last = append(b.last[:0], b.calls...)
	return b.launchEach()
}

// record makes a graph of the calls, and runs it.
func (b *Backend) record() error {
	if err := b.call("cuStreamBeginCapture", b.api.BeginCapture(b.stream, driver.Relaxed)); err != nil {
		return err
	}
	launched := b.launchEach()
	var graph uintptr
	result := b.api.EndCapture(b.stream, &graph)
	if launched != nil {
		return launched
	}
	if err := b.call("cuStreamEndCapture", result); err != nil {
		return err
	}
	r := recording{calls: slices.Clone(b.calls)}
	result = b.api.Instantiate(&r.run, graph, 0)
	_ = b.api.DestroyGraph(graph)
	if result == driver.OutOfMemory { // there is none to record in: not now, and not at once again
		b.last = b.last[:0]
		return b.launchEach()
	}
	if err := b.call("cuGraphInstantiate", result); err != nil {
		return err
	}
	b.recordings = append(b.recordings, r)
	b.forget(mostRecordings)
	return b.callWithRoom("a list of kernels", "cuGraphLaunch", b.api.Run(r.run, b.stream))
}

// forget destroys the oldest recordings, all but some. The driver keeps one that is
// still running until it has ended.
func (b *Backend) forget(all int) {
	for len(b.recordings) > all {
		_ = b.api.DestroyRun(b.recordings[0].run)
		b.recordings = slices.Delete(b.recordings, 0, 1)
	}
}
