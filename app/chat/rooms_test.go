package chat_test

import (
	"testing"

	"inglenook/app/chat"
	"inglenook/app/devices"
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
