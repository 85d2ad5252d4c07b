package chat

import (
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// modelChoice is what is known of a model.
func (s *session) modelChoice(id string) chat.ModelChoice {
	if i := slices.IndexFunc(s.models, func(c chat.ModelChoice) bool { return c.Model.ID == id }); i >= 0 {
		return s.models[i]
	}
	return chat.ModelChoice{}
}

// modelFits reports whether a model can answer; if not, why.
func (s *session) modelFits(m library.Model) (string, bool) {
	c := s.modelChoice(m.ID)
	switch {
	case c.Fits == fit.FitsNot || c.Fits == "" && c.Why != "":
		return kit.Sentence(c.Why), false
	case !m.Usable && m.Reason != "":
		return kit.Sentence(m.Reason), false
	}
	return "", true
}

// describeModel says in a few words what a model is and whether it fits.
func (s *session) describeModel(m library.Model) string {
	c := s.modelChoice(m.ID)
	var parts []string
	switch {
	case m.Elsewhere():
		parts = append(parts, panel.ElsewhereInWords(m))
	case c.Loaded:
		parts = append(parts, "loaded")
	case c.Fits != "":
		parts = append(parts, c.Fits)
	}
	if m.Tiny() {
		parts = append(parts, library.TinyInWords)
	}
	switch {
	case c.Plain:
		parts = append(parts, "continues text")
	case m.Kind == library.KindTask:
		parts = append(parts, "one text at a time")
	}
	if c.NeedsBytes > 0 {
		parts = append(parts, "needs "+humanize.Bytes(uint64(c.NeedsBytes)))
	}
	if m.Parameters > 0 {
		parts = append(parts, kit.Parameters(m.Parameters))
	}
	return strings.Join(parts, " · ")
}

// answeredLast is the model that made the last answer of the branch in view, if it is here; "": there is
// none.
func (s *session) answeredLast() string {
	for _, id := range slices.Backward(s.tree.path) {
		if m := s.tree.message(id); m.Role == chat.RoleAssistant && m.Reply != nil && m.Reply.Model != "" {
			return s.modelChoice(m.Reply.Model).Model.ID
		}
	}
	return ""
}

// settleModel has the model answer in a chat that was just opened which answered there last. It chooses
// a likely one where none was chosen, or that one is gone.
func (s *session) settleModel() {
	if s.models == nil {
		return
	}
	if s.opened {
		s.opened = false
		if id := s.answeredLast(); id != "" {
			s.choices.Model = id
		}
	}
	if s.modelChoice(s.choices.Model).Model.ID != "" {
		return
	}
	s.gone = s.choices.Model
	s.choices.Model = s.likelyModel()
}

// newChoices are those with which a new conversation begins: as Settings have it, where the model and
// the preset are still there.
func (s *session) newChoices() chat.Choices {
	kept := s.settings().Chat
	x := chat.Choices{Model: kept.Model, Preset: s.conversations.Presets()[0].Name, MaxTokens: max(0, kept.New.MaxTokens)}
	if id := kept.New.Model; id != "" && (s.models == nil || s.modelChoice(id).Model.ID != "") {
		x.Model = id
	}
	if _, ok := s.preset(kept.New.Preset); ok {
		x.Preset = kept.New.Preset
	}
	return x
}

// told returns the model that was chosen and is gone, once.
func (s *session) told() (gone string) {
	gone, s.gone = s.gone, ""
	return gone
}

// likelyModel is the one to offer where none was chosen: the loaded one if it converses, else the
// first that converses and fits, the bundled one last of these. One that was not made for chats
// is offered only where no other can answer.
func (s *session) likelyModel() string {
	fits := func(c chat.ModelChoice) bool { return c.Fits == fit.FitsWell || c.Fits == fit.FitsTight }
	for _, good := range []func(chat.ModelChoice) bool{
		func(c chat.ModelChoice) bool { return c.Loaded && converse(c) },
		func(c chat.ModelChoice) bool { return !c.Model.Tiny() && converse(c) && c.Fits == fit.FitsWell },
		func(c chat.ModelChoice) bool { return !c.Model.Tiny() && converse(c) && c.Fits == fit.FitsTight },
		func(c chat.ModelChoice) bool { return c.Model.Tiny() && converse(c) && fits(c) },
		func(c chat.ModelChoice) bool { return c.Loaded },
		fits,
	} {
		// No model of a server is chosen for a person: texts would be sent there.
		if i := slices.IndexFunc(s.models, func(c chat.ModelChoice) bool { return good(c) && !c.Model.Elsewhere() }); i >= 0 {
			return s.models[i].Model.ID
		}
	}
	return ""
}

// converse reports whether a model is made for conversations.
func converse(c chat.ModelChoice) bool { return !c.Plain && c.Model.Kind != library.KindTask }

// setModels takes note of the models that there are.
func (s *session) setModels(models []chat.ModelChoice) {
	s.models = append([]chat.ModelChoice{}, models...) // not nil: they are known now
	s.settleModel()
}

// setModel has another model answer from now on, here and in new conversations.
func (s *session) setModel(id string) error {
	s.choices.Model = id
	s.keep(func(settings *base.Settings) { settings.Chat.Model = id })
	return s.keepChoices()
}

// change changes the choices and keeps them.
func (s *session) change(change func(x *chat.Choices)) error {
	change(&s.choices)
	return s.keepChoices()
}

// keepChoices keeps what was chosen for the conversation in view.
func (s *session) keepChoices() error {
	if s.conversation.ID == "" {
		return nil
	}
	return s.conversations.SetChoices(s.conversation.ID, s.choices)
}

// modelGone reports whether the model that the store knows is another one.
func (s *session) modelGone() bool { return chat.ChoicesOf(s.conversation).Model != s.choices.Model }

// setSystem changes the instructions; keepSystem keeps them.
func (s *session) setSystem(text string) { s.conversation.System, s.unsaved = text, true }

// keepSystem keeps the instructions; false: they have not changed.
func (s *session) keepSystem() (bool, error) {
	if !s.unsaved {
		return false, nil
	}
	s.unsaved = false
	if s.conversation.ID == "" {
		return true, nil
	}
	return true, s.conversations.SetSystem(s.conversation.ID, s.conversation.System)
}

// base is the sampling where a person chose nothing: the preset's, or the model's own, which is the same
// before and after it is loaded.
func (s *session) base() chat.Sampling {
	if preset, ok := s.preset(s.choices.Preset); ok && preset.Sampling != nil {
		return *preset.Sampling
	}
	if own := s.modelChoice(s.choices.Model).Model.Sampling; own != nil {
		return *own
	}
	return chat.DefaultSampling()
}

// preset finds a preset.
func (s *session) preset(name string) (base.Preset, bool) {
	presets := s.conversations.Presets()
	if i := slices.IndexFunc(presets, func(p base.Preset) bool { return p.Name == name }); i >= 0 {
		return presets[i], true
	}
	return base.Preset{}, false
}

// ownSystem reports whether the instructions are a person's own: no preset has them.
func (s *session) ownSystem() bool {
	same := func(p base.Preset) bool { return p.System == s.conversation.System }
	return s.conversation.System != "" && !slices.ContainsFunc(s.conversations.Presets(), same)
}

// savePreset keeps the instructions and the sampling under a name.
func (s *session) savePreset(name string) error {
	if err := s.conversations.SavePreset(base.Preset{Name: name, System: s.conversation.System, Sampling: s.choices.Sampling}); err != nil {
		return err
	}
	return s.change(func(x *chat.Choices) { x.Preset = name })
}

// deletePreset deletes the chosen preset.
func (s *session) deletePreset() error {
	if err := s.conversations.DeletePreset(s.choices.Preset); err != nil {
		return err
	}
	return s.change(func(x *chat.Choices) { x.Preset = s.conversations.Presets()[0].Name })
}
