package metalbackend

import (
	"testing"

	"inglenook/metalbackend/fake"
)

func TestScratch(t *testing.T) {
	b, rt := open(t, fake.Options{}, Options{})
	l := &b.lowering
	l.start(t.Context(), b, nil)
	apart := func(a, c region) bool {
		return a.memory != c.memory || a.offset+a.bytes <= c.offset || c.offset+c.bytes <= a.offset
	}
	l.working.next()
	first, second := l.scratch(1000), l.scratch(100)
	if first.bytes != 1000 || first.memory == nil || !apart(first, second) {
		t.Errorf("one operation has %+v and %+v", first, second)
	}
	l.working.next()
	if third := l.scratch(1000); !apart(third, first) || !apart(third, second) {
		t.Errorf("the next operation has %+v: it would wait for the one before", third)
	}

	// what does not fit gets larger memory; the old one stays until the work is encoded
	l.working.next()
	before := l.scratch(leastScratch / 2)
	large := l.scratch(leastScratch)
	if large.memory == before.memory || before.memory.id == 0 {
		t.Errorf("%+v and then %+v", before, large)
	}
	l.end()
	if before.memory.id != 0 {
		t.Error("what was outgrown is kept")
	}

	// from half of it on, operations start at the front again
	l.start(t.Context(), b, nil)
	defer l.end()
	size := l.working.memory.bytes
	for range 100 {
		l.working.next()
		if r := l.scratch(size / 4); r.offset+r.bytes > size {
			t.Fatalf("%+v of %d", r, size)
		}
	}
	if l.working.memory.bytes != size {
		t.Errorf("it grew from %d to %d bytes", size, l.working.memory.bytes)
	}

	rt.Inject(fake.Fault{Kind: fake.RefuseBuffer, At: 1})
	l.scratch(10 * size)
	if l.working.err == nil {
		t.Error("a refusal is not noted")
	}
}
