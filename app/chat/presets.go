package chat

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/pipeline"
)

// PresetStore keeps presets in the settings.
type PresetStore struct{ settings *base.SettingsStore }

// builtInPresets come with the program. Their temperatures are usual ones for
// such work; everything else is as llama.cpp has it.
func builtInPresets() []base.Preset {
	at := func(temperature, topP float64) *Sampling {
		s := pipeline.DefaultSampling()
		s.Temperature, s.TopP = temperature, topP
		return &s
	}
	return []base.Preset{
		{Name: "Plain", BuiltIn: true},
		{Name: "Precise", BuiltIn: true, Sampling: at(0.2, 0.9), System: "You are a careful assistant. Answer briefly and exactly. Say so where you do not know something."},
		{Name: "Creative", BuiltIn: true, Sampling: at(1, 0.95), System: "You are an imaginative writer. Prefer the vivid and concrete to the usual."},
		{Name: "Code", BuiltIn: true, Sampling: at(0.2, 0.95), System: "You are an experienced programmer. Answer with complete, correct code in fenced blocks that name their language, and explain only what is not obvious."},
	}
}

// Presets lists those that come with the program, then the person's own by name.
func (s *PresetStore) Presets() []base.Preset {
	return append(builtInPresets(), s.settings.Settings().Presets...)
}

// Preset is the one of a name; where there is none any more, one that says nothing.
func (s *PresetStore) Preset(name string) base.Preset {
	list := s.Presets()
	if i := slices.IndexFunc(list, func(p base.Preset) bool { return p.Name == name }); i >= 0 {
		return list[i]
	}
	return base.Preset{}
}

// SavePreset keeps a preset under its name, in the place of one that has it.
func (s *PresetStore) SavePreset(p base.Preset) error {
	p.Name, p.BuiltIn = strings.TrimSpace(p.Name), false
	switch {
	case p.Name == "" || len(p.Name) > 100 || strings.ContainsAny(p.Name, "\r\n"):
		return errors.New("a preset needs a name of one line with at most 100 bytes; give it one")
	case len(p.System) > base.MaxPresetBytes:
		return fmt.Errorf("the system prompt of a preset can have %d bytes at most; shorten it", base.MaxPresetBytes)
	case isBuiltIn(p.Name):
		return fmt.Errorf("%s comes with the program and stays as it is; choose another name", p.Name)
	}
	if p.Sampling != nil {
		if err := p.Sampling.Check(); err != nil {
			return err
		}
	}
	if len(s.settings.Settings().Presets) >= base.MaxPresets {
		return fmt.Errorf("there are %d presets already; delete one first", base.MaxPresets)
	}
	return s.settings.SaveSettings(func(s *base.Settings) {
		s.Presets = append(without(s.Presets, p.Name), p)
		slices.SortStableFunc(s.Presets, func(a, b base.Preset) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	})
}

// DeletePreset forgets one of the person's own.
func (s *PresetStore) DeletePreset(name string) error {
	if isBuiltIn(name) {
		return fmt.Errorf("%s comes with the program, so it stays", name)
	}
	return s.settings.SaveSettings(func(now *base.Settings) { now.Presets = without(now.Presets, name) })
}

func isBuiltIn(name string) bool {
	return slices.ContainsFunc(builtInPresets(), func(p base.Preset) bool { return strings.EqualFold(p.Name, name) })
}

func without(list []base.Preset, name string) []base.Preset {
	return slices.DeleteFunc(list, func(p base.Preset) bool { return p.Name == name })
}
