package lower

import (
	"errors"
	"testing"

	"inglenook/gpu"
)

func TestScratch(t *testing.T) {
	d := newDevice(t)
	l := d.lowerer
	freed := func(m *gpu.Memory) bool { return d.memories[m.Handle].freed }
	disjoint := func(a, b gpu.Region) bool {
		return a.Memory != b.Memory || a.Offset+a.Size <= b.Offset || b.Offset+b.Size <= a.Offset
	}
	l.working.next()
	first, second := l.scratch(1000), l.scratch(100)
	if first.Size != 1000 || first.Memory == nil || !disjoint(first, second) {
		t.Errorf("one operation has %+v and %+v", first, second)
	}
	l.working.next()
	if third := l.scratch(1000); !disjoint(third, first) || !disjoint(third, second) {
		t.Errorf("the next operation has %+v: it would wait for the one before", third)
	}

	// a request that does not fit gets larger memory; the old memory stays until the work is submitted
	l.working.next()
	before := l.scratch(leastScratch / 2)
	large := l.scratch(leastScratch)
	if large.Memory == before.Memory || freed(before.Memory) {
		t.Errorf("%+v and then %+v", before, large)
	}
	if l.Reset(); !freed(before.Memory) {
		t.Error("what was outgrown is kept")
	}

	// from half of it on, operations start at the front again
	size := l.working.memory.Size
	for range 100 {
		l.working.next()
		if r := l.scratch(size / 4); r.Offset+r.Size > size {
			t.Fatalf("%+v of %d", r, size)
		}
	}
	if l.working.memory.Size != size {
		t.Errorf("it grew from %d to %d bytes", size, l.working.memory.Size)
	}

	d.refuses = errors.New("no memory")
	if l.scratch(10 * size); !errors.Is(l.err, d.refuses) {
		t.Errorf("a refusal gives %v", l.err)
	}
	if l.Close(); !freed(large.Memory) {
		t.Error("working memory is kept")
	}
}
