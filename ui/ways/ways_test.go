package ways

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/devices"
	"inglenook/ui/kit"
)

func on(device string, threads int, weights string) devices.Target {
	return devices.Target{Device: device, Threads: threads, Hold: devices.Hold{Weights: weights}}
}

// TestKinds holds that each kind of way has a colour of its own, which no choice of others changes.
func TestKinds(t *testing.T) {
	c := Of([]devices.Device{{ID: "cpu", Threads: 8}, {ID: "cuda"}})
	list := []devices.Target{on("cpu", 8, ""), on("cpu", 8, "q8_0"), on("cpu", 8, "q4_k"), on("cuda", 0, ""), on("a server", 0, ""), on("metal-emulated", 0, "")}
	var colors []fyne.ThemeColorName
	for _, way := range list {
		colors = append(colors, c.Color(way))
	}
	slices.Sort(colors)
	if len(slices.Compact(colors)) != len(list) {
		t.Errorf("two of %d ways have one colour: %v", len(list), colors)
	}
	if got := c.Color(on("metal", 0, "")); got != c.Color(on("cuda", 0, "")) {
		t.Errorf("one GPU has the colour %s, another one %s", got, c.Color(on("cuda", 0, "")))
	}
}

// TestThreads holds that fewer threads are paler, whatever else is in view.
func TestThreads(t *testing.T) {
	c := Of([]devices.Device{{ID: "cpu", Threads: 6}})
	for threads, pale := range map[int]int{6: 0, 12: 0, 0: 0, 4: 1, 3: 1, 2: 2, 1: 3} {
		if got, want := c.Color(on("cpu", threads, "")), kit.Paler(theme.ColorNamePrimary, pale); got != want {
			t.Errorf("%d threads have the colour %s, want %s", threads, got, want)
		}
	}
	if got := (Colors{}).Color(on("cpu", 1, "")); got != theme.ColorNamePrimary {
		t.Errorf("without a number of threads the colour is %s", got)
	}
}

// TestKey holds that the key names each kind once, and says what paler colours mean.
func TestKey(t *testing.T) {
	c := Of([]devices.Device{{ID: "cpu", Threads: 2}})
	if c.Key(nil) != nil {
		t.Error("there is a key to nothing")
	}
	key := c.Key([]devices.Target{on("cpu", 1, ""), on("cpu", 2, ""), on("cpu", 2, "q8_0"), on("cuda", 0, "")}).(*fyne.Container)
	if len(key.Objects) != 4 { // CPU, 8-bit, CUDA, and what paler means
		t.Errorf("the key has %d parts", len(key.Objects))
	}
}
