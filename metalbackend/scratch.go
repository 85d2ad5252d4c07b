package metalbackend

// scratch is memory for the results of one dispatch of an operation that another
// one of the same operation reads. It holds old values and is gone when the
// operation is done.
func (l *lowering) scratch(bytes int) region {
	start := l.used
	l.used += (bytes + 63) / 64 * 64
	return region{nil, start, bytes}
}
