package devices

import (
	"testing"

	"inglenook/app/base"
	"inglenook/metalbackend"
	"inglenook/metalbackend/fake"
)

// The system hears of one activity, from the first work to the end of the last, and of
// another one for later work.
func TestAwake(t *testing.T) {
	rt, err := fake.New(fake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	begun := 0
	d := New(nil, nil, base.Paths{Cache: t.TempDir()}, Options{})
	d.Activity = func() func() {
		begun++
		return metalbackend.BeginActivity(rt, "test")
	}
	underWay := func(want int) {
		t.Helper()
		if n := len(rt.Leaks()); n != want {
			t.Errorf("%d activities are under way, want %d", n, want)
		}
	}
	first, second := d.Awake(), d.Awake()
	underWay(1)
	first()
	first()
	underWay(1)
	second()
	underWay(0)
	d.Awake()()
	underWay(0)
	if begun != 2 {
		t.Errorf("%d activities began", begun)
	}
	if err := rt.Close(); err != nil {
		t.Error(err)
	}
}
