package app

import (
	"testing"

	"inglenook/app/devices"
	"inglenook/app/measure"
	"inglenook/app/texts"
)

// The system knows of work with texts and of measurements while they go on.
func TestWorkIsActivity(t *testing.T) {
	a := newTestApp(t, &double{})
	begun, ended := 0, 0
	a.Activity = func() func() {
		begun++
		return func() { ended++ }
	}
	for name, work := range map[string]func() error{
		"embed": func() error {
			_, err := a.Embed(t.Context(), texts.EmbedRequest{Texts: []string{"x"}}, nil)
			return err
		},
		"measure": func() error {
			_, err := a.Measure(t.Context(), measure.Request{Targets: []devices.Target{{Device: "cpu"}}, Amounts: measure.Amounts{Texts: 4, Repeat: 2}}, nil)
			return err
		},
	} {
		begun, ended = 0, 0
		if err := work(); err != nil || begun != 1 || ended != 1 {
			t.Errorf("%s: %v; %d activities began, %d ended", name, err, begun, ended)
		}
	}
}
