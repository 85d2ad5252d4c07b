package classify

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Fits reports whether a model can classify; if not, why.
func Fits(m library.Model) (string, bool) {
	switch {
	case !m.Usable || HasItsOwn(m):
		return panel.Usable(m)
	case m.Kind == library.KindReranker:
		return "This is a reranker: it scores how well a text answers a question. Use it in Rerank.", false
	case m.Kind == library.KindTask:
		return "This is a text-to-text model: it turns a text into another one. Use it in Chat.", false
	case m.Kind == library.KindPictures:
		return "This model reads pictures and cannot read labels. Choose one for pictures and texts, such as CLIP.", false
	case m.Writes():
		return "This is a language model: it writes text. Use it in Chat.", false
	}
	return "", true
}

// HasItsOwn reports whether a model gives results of its own, and takes no labels.
func HasItsOwn(m library.Model) bool {
	return m.Usable && m.Classifies != "" && m.Kind != library.KindReranker
}

// FitsItsOwn is Fits for models that are made to classify; for others there are better rooms.
func FitsItsOwn(m library.Model) (string, bool) {
	if !HasItsOwn(m) {
		return "This model is made for something else.", false
	}
	return Fits(m)
}

// Info is how the window names the page.
func Info() panel.Info {
	icon := func(name fyne.ThemeColorName) fyne.Resource { return kit.Colored(theme.ListIcon(), name) }
	return panel.Info{ID: panel.Similarity, Name: "Classify", Icon: icon}
}

// split makes labels of what a person typed.
func split(typed string) []string {
	var list []string
	for name := range strings.FieldsFuncSeq(typed, func(r rune) bool { return r == ',' || r == '\n' || r == ';' }) {
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// join writes labels as split reads them.
func join(names []string) string { return strings.Join(names, ", ") }
