package fake

// graph is what a stream has recorded.
type graph struct{ launches []launched }

func (f *Fake) beginCapture(stream uintptr, _ int32) int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.enter("cuStreamBeginCapture"); r != 0 {
		return r
	}
	if !f.streams[stream] || f.recording[stream] != nil {
		return f.wrong(invalidHandle, "cuStreamBeginCapture of the stream %#x", stream)
	}
	f.recording[stream] = &graph{}
	return 0
}

func (f *Fake) endCapture(stream uintptr, handle *uintptr) int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.recording[stream]
	delete(f.recording, stream)
	if r := f.enter("cuStreamEndCapture"); r != 0 {
		return r
	}
	if g == nil {
		return f.wrong(invalidHandle, "cuStreamEndCapture of the stream %#x, which records nothing", stream)
	}
	*handle = f.handle()
	f.graphs[*handle] = g
	return 0
}

func (f *Fake) instantiate(run *uintptr, handle uintptr, _ uint64) int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.enter("cuGraphInstantiate"); r != 0 {
		return r
	}
	if f.graphs[handle] == nil {
		return f.wrong(invalidHandle, "cuGraphInstantiate of %#x", handle)
	}
	*run = f.handle()
	f.runs[*run] = f.graphs[handle]
	return 0
}

func (f *Fake) runGraph(run, stream uintptr) int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.enter("cuGraphLaunch"); r != 0 {
		return r
	}
	g := f.runs[run]
	if g == nil || !f.streams[stream] {
		return f.wrong(invalidHandle, "cuGraphLaunch of %#x on the stream %#x", run, stream)
	}
	for _, l := range g.launches {
		if r := f.execute(l); r != 0 {
			return r
		}
	}
	return 0
}

// destroy forgets a graph.
func (f *Fake) destroy(call string, all map[uintptr]*graph, handle uintptr) int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.enter(call); r != 0 {
		return r
	}
	if all[handle] == nil {
		return f.wrong(invalidHandle, "%s of %#x", call, handle)
	}
	delete(all, handle)
	return 0
}
