package metalbackend

import (
	"testing"

	"inglenook/metalbackend/fake"
)

// An activity begins with the options that let the computer sleep, ends once, and
// leaves nothing behind.
func TestActivity(t *testing.T) {
	rt, err := fake.New(fake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, second := BeginActivity(rt, "writing an answer"), BeginActivity(rt, "reading documents")
	if n := len(rt.Leaks()); n != 2 {
		t.Errorf("%d activities are under way", n)
	}
	for _, end := range []func(){first, second, first} {
		end()
	}
	if left := rt.Leaks(); len(left) > 0 {
		t.Errorf("not ended: %v", left)
	}
	if err := rt.Close(); err != nil {
		t.Error(err)
	}
}
