package chat_test

import (
	"testing"

	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
)

// The contexts that a model can be given end with what it was made for, and more of it takes
// more memory. The meter never promises more either.
func TestRooms(t *testing.T) {
	_, talks := newRealTalks(t)
	rooms, err := talks.Rooms(t.Context(), chat.Choices{Model: library.StarterChat})
	if err != nil || len(rooms) < 2 || rooms[0].Bytes <= 0 || rooms[len(rooms)-1].Bytes <= rooms[0].Bytes {
		t.Errorf("%+v, %v", rooms, err)
	}
	most := rooms[len(rooms)-1].Context
	m, err := talks.Meter(t.Context(), chat.MeterRequest{Draft: chat.Content("hi"), Choices: chat.Choices{Model: library.StarterChat, Target: devices.Target{Hold: devices.Hold{Context: 9000}}}})
	if err != nil || m.Context != most {
		t.Errorf("%+v, %v", m, err)
	}
	if rooms, err := talks.Rooms(t.Context(), chat.Choices{Model: "org/unknown"}); err == nil || rooms != nil {
		t.Errorf("of a model that is not there: %+v, %v", rooms, err)
	}
}

// What a model needs is told as where its page says what it takes, also of a bundled one, half of
// whose weights stay in memory beside.
func TestNeedsAsItsPageSays(t *testing.T) {
	a, talks := newRealTalks(t)
	models, err := talks.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		if m.Model.ID != library.StarterChat {
			continue
		}
		c, err := a.Compat(t.Context(), fit.CompatRequest{Model: m.Model.ID})
		if err != nil || c.Devices[0].Memory.Total == 0 {
			t.Fatalf("%+v, %v", c, err)
		}
		if got, want := m.NeedsBytes>>20, c.Devices[0].Memory.Total>>20; got != want {
			t.Errorf("it needs %d MB, and takes %d", got, want)
		}
		return
	}
	t.Fatal("the bundled model is not listed")
}
