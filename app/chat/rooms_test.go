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

// Without the model in memory, the meter goes by what was counted for its last answer.
func TestMeterKnowsWhatWasCounted(t *testing.T) {
	_, talks := newRealTalks(t)
	x := chat.Choices{Model: library.StarterChat, MaxTokens: 20}
	id, err := talks.New(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"Hello, who are you?", "Tell me about boats and the sea."} {
		if m, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: leafOf(t, talks, id), Parts: chat.Content(text)}, nil); err != nil || m.Reply == nil {
			t.Fatal(m, err)
		}
	}
	for _, draft := range []string{"", "And what about lakes and rivers, and the boats on them?"} {
		meter := func() chat.Meter {
			m, err := talks.Meter(t.Context(), chat.MeterRequest{Conversation: id, After: leafOf(t, talks, id), Draft: chat.Content(draft)})
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		talks.Unload()
		guess := meter()
		if err := talks.Load(t.Context(), x, nil); err != nil {
			t.Fatal(err)
		}
		exact := meter()
		if off := float64(guess.Prompt) / float64(exact.Prompt); guess.Exact || !exact.Exact || off < 0.85 || off > 1.15 || guess.Room != guess.Context-guess.Prompt {
			t.Errorf("%q: it says %+v, and with the model %+v", draft, guess, exact)
		}
	}
}

// A chat whose model is gone is counted for the one that answers in its place.
func TestMeterOfAnotherModel(t *testing.T) {
	_, talks := newRealTalks(t)
	id, err := talks.New(chat.Choices{Model: "org/gone"})
	if err != nil {
		t.Fatal(err)
	}
	r := chat.MeterRequest{Conversation: id, Draft: chat.Content("hi")}
	if m, err := talks.Meter(t.Context(), r); err != nil || m.Context != 0 {
		t.Errorf("of a model that is gone: %+v, %v", m, err)
	}
	r.Choices.Model = library.StarterChat
	if m, err := talks.Meter(t.Context(), r); err != nil || m.Context == 0 {
		t.Errorf("of the one that answers: %+v, %v", m, err)
	}
}

func leafOf(t *testing.T, talks *chat.Service, id string) int64 {
	t.Helper()
	c, err := talks.Conversation(id)
	if err != nil {
		t.Fatal(err)
	}
	return c.Leaf
}
