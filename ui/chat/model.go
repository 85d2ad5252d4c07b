package chat

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"inglenook/app/chat"
	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/ui/panel"
)

func (p *Panel) buildPicker() {
	p.picker = panel.NewModelPicker(p.Keys)
	p.picker.Fits, p.picker.Describe = p.modelFits, p.describeModel
	p.picker.Chosen = p.modelChosen
	p.picker.OpenFolder, p.picker.OpenFile = p.openModelFolder, p.openModelFile
	p.picker.Forget = func(m library.Model) { p.Forget(m, p.ShowError) }
	p.picker.Find = p.FindModel
}

func (p *Panel) openModelFolder() { p.Files().OpenFolder(p.addModel) }

func (p *Panel) openModelFile() {
	p.Files().OpenFile([]string{".safetensors", ".gguf"}, p.addModel)
}

func (p *Panel) chooseModel() {
	p.Focus(p.picker)
	p.picker.Open()
}

// ModelsChanged asks for the models again, and whether they fit now.
func (p *Panel) ModelsChanged() { p.loadModels(nil) }

// loadModels asks for the models; then runs once they are known. An answer that comes after the
// answer to a later question is out of date, and changes nothing: a model that was added between
// the two is not on its list, and would be called gone.
func (p *Panel) loadModels(then func()) {
	p.listing.asked++
	asked := p.listing.asked
	p.Work(func(ctx context.Context) {
		models, err := p.conversations.Models(ctx)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			if asked > p.listing.shown {
				p.listing.shown = asked
				p.setModels(models)
			}
			if then != nil {
				then()
			}
		})
	})
}

func (p *Panel) setModels(models []chat.ModelChoice) {
	before := p.choices.Model
	p.session.setModels(models)
	if p.choices.Model != before {
		p.composer.measure() // by what the other model can read
	}
	list := make([]library.Model, len(models))
	for i, c := range models {
		list[i] = c.Model
	}
	p.picker.Offer(list, p.choices.Model)
	p.blank.refresh()
	p.adviseAgain()
	p.options.show()
	p.composer.refresh()
	p.tellGone()
}

// tellGone says that the chosen model is no longer there, and which one answers in its place.
// A first page without any model offers some itself.
func (p *Panel) tellGone() {
	gone := p.told()
	if gone == "" || len(p.tree.path) == 0 && len(p.models) == 0 {
		return
	}
	name, other := p.modelName(p.choices.Model), p.modelName(gone)
	if other == name { // that of a server, which was removed
		other = gone
	}
	text := other + " is no longer on this computer"
	if name == "" {
		p.notice.Say(text+", and no other model can answer.", "Find a model", p.FindModel)
	} else {
		p.notice.Say(text+". From now on "+name+" answers in this chat.", "Choose another model", func() {
			p.notice.Hide()
			p.chooseModel()
		})
	}
	p.view.Refresh()
}

// modelChosen has another model answer from now on, loads it, and leads to the next message.
func (p *Panel) modelChosen(m library.Model) {
	p.takeModel(m)
	p.Focus(p.composer.entry)
}

// takeModel has another model answer from now on, and loads it.
func (p *Panel) takeModel(m library.Model) {
	p.kept(p.setModel(m.ID))
	p.options.show()
	p.refresh()
	p.load()
}

// FollowDownloads shows how far the download of a first model is.
func (p *Panel) FollowDownloads(list []downloads.Download) { p.blank.follow(list) }

// Took reports whether a model that arrived was for Chat, which has seen to it.
func (p *Panel) Took(repo string) bool { return p.took == repo }

// arrived takes the model that a person got with the card of the first page, unless another
// one has been chosen meanwhile. In a chat with the guide that has begun it is offered.
func (p *Panel) arrived(repo string) {
	p.took = repo
	p.loadModels(func() {
		p.blank.want(false)
		i := slices.IndexFunc(p.models, func(c chat.ModelChoice) bool { return isOfRepo(c.Model.ID, repo) })
		if i < 0 {
			return
		}
		m := p.models[i].Model
		if len(p.tree.path) > 0 || p.writesHere() {
			if p.kindOfBlank() == guides {
				p.notice.Say(m.Title()+" is ready.", "Use it here", func() {
					p.notice.Hide()
					p.useHere(m)
				})
				p.view.Refresh()
			}
			return
		}
		if kind := p.kindOfBlank(); kind != guides && p.choices.Model != m.ID {
			return
		}
		p.picker.Offer(p.picker.Models, m.ID)
		p.takeModel(m)
		if p.inView {
			p.Focus(p.composer.entry)
		}
	})
}

// keepChoices keeps what the person chose for the conversation in view.
func (p *Panel) keepChoices() { p.kept(p.session.keepChoices()) }

// kept follows a change of the choices.
func (p *Panel) kept(err error) {
	if err != nil {
		p.ShowError(err)
		return
	}
	p.composer.measure()
}

// addModel puts a folder or file on the list of models and chooses it.
func (p *Panel) addModel(path string) { p.addOneOf(path, p.ShowError) }

// addOneOf does so where others may come with it; fail gets what is wrong.
func (p *Panel) addOneOf(path string, fail func(error)) {
	checked := p.tellLater("Checking " + filepath.Base(path) + "…")
	p.Work(func(ctx context.Context) {
		m, err := p.App.AddModel(ctx, path)
		p.Do(func() {
			checked()
			p.Tell("")
			switch {
			case p.ChooseModel(err, func(path string) { p.addOneOf(path, fail) }):
			case err != nil:
				fail(err)
			case !m.CanWrite():
				p.AnnounceModels()
				_, room := panel.RoomOf(m)
				if names, _ := m.Rooms(); slices.Contains(names, library.RoomDocuments) && room != library.RoomDocuments && room != "" {
					room = library.RoomDocuments + ", " + room // what most want such a model for
				}
				if room = cmp.Or(room, "Models"); room != library.RoomPerformance {
					room += " or " + library.RoomPerformance
				}
				p.Misplaced(p.notice, m, fmt.Sprintf("%s does not write text, so it cannot answer here. You can use it in %s.", m.Title(), room))
				p.view.Refresh()
			default:
				p.AnnounceModels()
				p.Tell("Added " + m.Title() + ".")
				p.loadModels(func() {
					p.picker.Offer(p.picker.Models, m.ID)
					p.modelChosen(m)
				})
			}
		})
	})
}

// Fits reports whether a model can answer in conversations.
func Fits(m library.Model) (string, bool) {
	return "This model writes no text.", m.Usable && m.CanWrite()
}
