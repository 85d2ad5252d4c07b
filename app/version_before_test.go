package app

import (
	"os"
	"slices"
	"testing"
	"time"

	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/pipeline"
)

// TestFolderOfTheVersionBefore: a data folder that the program wrote before app had parts
// (commit d2b880b) opens with everything that was in it.
func TestFolderOfTheVersionBefore(t *testing.T) {
	apptest.Home(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/version-before")); err != nil {
		t.Fatal(err)
	}
	a := newDeviceApp(t, dir)

	s := a.Settings()
	if s.Theme != "dark" || s.Threads != 2 || s.Device != "cpu" || s.Model != "starter-embed" {
		t.Errorf("settings: %+v", s)
	}
	if want := (base.Window{Width: 1000, Height: 700, Panel: "chat"}); s.Window != want {
		t.Errorf("window: %+v", s.Window)
	}
	if !slices.Equal(s.Recent, []string{"/models/one", "/models/two.gguf"}) || len(s.LastUsed) != 1 {
		t.Errorf("models: %q, %v", s.Recent, s.LastUsed)
	}
	if !slices.Equal(s.SimilarityTexts, []string{"The cat sleeps.", "Der Hund bellt.\nLaut.", "🦙"}) {
		t.Errorf("texts: %q", s.SimilarityTexts)
	}
	if s.Network.Endpoint != "https://mirror.example" || s.PrefixLimit() != 3<<30 || s.Chat.Model != "stories" {
		t.Errorf("network, cache or chat: %+v, %d, %+v", s.Network, s.PrefixLimit(), s.Chat)
	}
	if !slices.ContainsFunc(a.Chat().Presets(), func(p base.Preset) bool { return p.Name == "Brief" && p.System != "" }) {
		t.Errorf("presets: %+v", a.Chat().Presets())
	}

	list, err := a.Chat().List("")
	if err != nil || len(list) != 1 || list[0].Title != "A fox" {
		t.Fatalf("conversations: %+v, %v", list, err)
	}
	c, err := a.Chat().Conversation(list[0].ID)
	if err != nil || c.System != "You tell stories." {
		t.Errorf("conversation: %+v, %v", c, err)
	}
	want := devices.Target{Device: "cpu", Hold: pipeline.Hold{Weights: "q8_0", KV: "f32", Context: 2048}}
	if x := chat.ChoicesOf(c); x.Model != "stories" || x.Target != want {
		t.Errorf("choices: %+v", x)
	}

	past, err := a.PerformanceHistory("starter-embed")
	if err != nil || len(past) != 1 {
		t.Fatalf("measurements: %d, %v", len(past), err)
	}
	p := past[0]
	if p.When != time.Date(2026, 11, 22, 11, 9, 26, 0, time.UTC) || len(p.Rows) != 2 || p.Rows[1].Weights != "q8_0" || p.Rows[0].Threads != 1 {
		t.Errorf("measurement: %+v", p)
	}
	if m := p.Rows[0].Measures[0]; m.Median < 142 || m.Median > 143 || m.Predicted == 0 || len(m.Ops) == 0 {
		t.Errorf("measure: %+v", m)
	}
	if notices := a.Notices(); len(notices) > 0 {
		t.Errorf("notices: %q", notices)
	}
}
