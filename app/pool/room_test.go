package pool

import (
	"context"
	"io"
	"testing"
)

// What may be taken on a device is what is free in memory and what the device can
// work with.
func TestRoomFor(t *testing.T) {
	onDevice := func(id string) (int64, bool) {
		switch id {
		case "gpu":
			return 100, true
		case "full":
			return 0, true
		}
		return 0, false
	}
	for _, c := range []struct {
		memory int64
		device string
		want   free
	}{
		{500, "cpu", free{500, false}},
		{0, "cpu", free{0, false}},
		{500, "gpu", free{100, true}},
		{50, "gpu", free{50, false}},
		{0, "gpu", free{100, true}},
		{500, "full", free{1, true}},
	} {
		if got := roomFor(c.memory, c.device, onDevice); got != c.want {
			t.Errorf("%d on %s: %+v, want %+v", c.memory, c.device, got, c.want)
		}
	}
}

// Where the device sets the limit, models go that are on it, and no others.
func TestOpenSetMakesRoomOnDevice(t *testing.T) {
	open := map[string]bool{}
	s := newOpenSet(func(device string) free {
		switch {
		case device != "gpu":
			return free{bytes: 1 << 40}
		case open["first"]:
			return free{200, true}
		}
		return free{600, true}
	})
	use := func(name, device string) []string {
		t.Helper()
		held, err := borrow(t.Context(), s, key{job: "embed", model: name}, func() wanted { return wanted{name: name, device: device, Bytes: 400, computes: true} },
			func(context.Context) (io.Closer, error) {
				open[name] = true
				return closerFunc(func() error { delete(open, name); return nil }), nil
			})
		if err != nil {
			t.Fatal(err)
		}
		held.release()
		return held.notices
	}
	use("elsewhere", "cpu")
	use("first", "gpu")
	if told := use("second", "gpu"); len(told) != 1 || open["first"] || !open["second"] || !open["elsewhere"] {
		t.Errorf("open are %v; told %q", open, told)
	}
}
