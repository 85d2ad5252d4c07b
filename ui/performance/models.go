package performance

import (
	"cmp"
	"context"
	"slices"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// models are those on offer, of which one is chosen.
type models struct {
	panel.Host
	frame   *frame
	picker  *panel.ModelPicker
	list    []library.Model // nil: not known yet
	talker  string          // id of the model that was chosen for chats when the room last looked
	another func()          // another one was chosen
	changed func()          // the list has
}

func newModels(h panel.Host, f *frame) *models {
	m := &models{Host: h, frame: f}
	m.picker = panel.NewModelPicker(h.Keys)
	m.picker.Fits, m.picker.Chosen = Fits, func(chosen library.Model) { m.keep(chosen.ID); m.another() }
	m.picker.OpenFolder = func() { m.Files().OpenFolder(m.add) }
	m.picker.OpenFile = func() { m.Files().OpenFile([]string{".safetensors", ".gguf"}, m.add) }
	m.picker.Forget, m.picker.Find = func(gone library.Model) { m.Forget(gone, f.fail) }, h.FindModel
	s := h.App.Settings()
	m.talker = s.Chat.Model
	m.picker.ID = cmp.Or(s.Performance.Model, s.Chat.Model, s.Model) // how fast it answers is asked most
	return m
}

// Fits reports whether a model can be measured; if not, why.
func Fits(m library.Model) (string, bool) {
	switch {
	case !m.Usable && m.Reason != "":
		return kit.Sentence(m.Reason), false
	case !m.Usable:
		return "This model cannot be used here.", false
	}
	return "", true
}

// chosen is the model to measure; false: there is none.
func (m *models) chosen() (library.Model, bool) { return m.picker.Model() }

// measurable reports whether a model is chosen that can be measured.
func (m *models) measurable() bool {
	model, chosen := m.picker.Model()
	_, fits := Fits(model)
	return chosen && fits
}

// load asks for the list of models; id is the one to choose, where it is not empty.
func (m *models) load(id string) {
	m.Work(func(ctx context.Context) {
		list, err := m.App.Models(ctx)
		m.Do(func() {
			if err != nil {
				m.frame.fail(err)
				return
			}
			m.offer(list, id)
			if now, ok := m.picker.Model(); ok && now.ID == id {
				m.keep(id)
			}
		})
	})
}

// keep has the room open with this model the next time.
func (m *models) keep(id string) {
	m.Keep(func(s *base.Settings) { s.Performance.Model = id })
}

// follow chooses the model that a person chose for chats since the room last looked: how fast
// it answers is what is asked then.
func (m *models) follow() {
	now := m.App.Settings().Chat.Model
	if now == m.talker {
		return
	}
	m.talker = now
	if m.list != nil && slices.ContainsFunc(m.list, func(x library.Model) bool { return x.ID == now && x.Usable }) {
		m.offer(m.list, now)
		m.keep("") // the chat's is offered the next time too
	}
}

// offer offers these models. The one with the id is chosen, "" being the one chosen before, or else the
// first that can be used.
func (m *models) offer(list []library.Model, id string) {
	m.list = append([]library.Model{}, list...)
	if id == "" {
		id = m.picker.ID
	}
	known := func(x library.Model) bool { return x.ID == id && x.Usable }
	if !slices.ContainsFunc(m.list, known) {
		id = ""
		if i := slices.IndexFunc(m.list, func(x library.Model) bool { return x.Usable }); i >= 0 {
			id = m.list[i].ID
		}
	}
	before, _ := m.picker.Model()
	m.picker.Offer(m.list, id)
	if now, ok := m.picker.Model(); !ok || now.ID != before.ID {
		m.another()
	}
	m.changed()
}

// add puts a folder or file on the list of models and chooses it.
func (m *models) add(path string) {
	m.AddModel(path, m.frame.fail, func(added library.Model, list []library.Model) {
		m.frame.notice.Hide()
		m.offer(list, added.ID)
		m.keep(added.ID)
	})
}

// take chooses a model as a click in the list does.
func (m *models) take(id string) {
	m.picker.Take(slices.IndexFunc(m.picker.Models, func(x library.Model) bool { return x.ID == id }))
}

// comparable are the models that can be compared: those that run here.
func (m *models) comparable() (list []library.Model) {
	for _, x := range m.list {
		if _, fits := Fits(x); fits && !x.Elsewhere() {
			list = append(list, x)
		}
	}
	return list
}
