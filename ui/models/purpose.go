package models

import (
	"inglenook/app/library"
	"inglenook/app/pool"
)

// purpose is what an installed model is for, in words for everybody: as the catalogue has it, or else
// what its kind does.
func (m modelItem) purpose() string {
	if m.entry != nil {
		return m.entry.Use
	}
	return purposeOf(*m.installed)
}

// purposeOf is what a model can be used for.
func purposeOf(m pool.Installed) string {
	switch {
	case m.ID == library.StarterChat:
		return "A tiny guide to Inglenook"
	case m.ID == library.StarterEmbed:
		return "Finds similar texts, small and quick"
	}
	switch m.Classifies {
	case "labels":
		return "Sorts texts into the labels that it was trained on"
	case "entities":
		return "Marks names in texts"
	}
	switch m.Kind {
	case library.KindChat:
		return "Chats and answers questions"
	case library.KindText:
		return "Goes on with a text that you begin"
	case library.KindTask:
		return "Turns one text into another, as in translating"
	case library.KindEmbedding:
		return "Finds texts with the same meaning"
	case library.KindReranker:
		return "Judges which text answers a question best"
	case library.KindEncoder:
		return "Fills gaps in texts"
	case library.KindPictures:
		return "Finds pictures that look alike"
	}
	return taskName(m.Kind)
}
