package models

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/fit"
	"inglenook/ui/kit"

	"github.com/dustin/go-humanize"
)

// besideWeights is how much memory a model takes beyond its weights, roughly.
const besideWeights = 1.2

// drawEstimate tells of a model of the catalogue that is not here what its size lets expect, before
// the model store was asked: its memory and its speed.
func (p *modelPage) drawEstimate() []fyne.CanvasObject {
	e := p.item.entry
	if e == nil || p.item.installed != nil {
		return nil
	}
	var list []fyne.CanvasObject
	put := func(text string, color fyne.ThemeColorName) {
		list = append(list, kit.NewParagraph(text, color).Flat)
	}
	if free := p.app.FreeMemory(); p.compat == nil && free > 0 {
		needs := int64(besideWeights * float64(e.Downloads[0].Bytes))
		memory := "about " + humanize.Bytes(uint64(needs)) + " of memory; " + humanize.Bytes(uint64(free)) + " are free."
		if tooLarge(*p.item, free) {
			put("Probably too large: it takes "+memory, theme.ColorNameWarning)
		} else {
			put("It should fit into memory: it takes "+memory, theme.ColorNameForeground)
		}
	}
	tokens := p.host.pace().TokensPerS(*e)
	if v, ok := p.variant(); ok && v.Bytes > 0 {
		tokens *= float64(e.Downloads[0].Bytes) / float64(v.Bytes)
	}
	switch {
	case tokens <= 0 || p.compat != nil && !p.runsSomewhere():
	case fit.Slow(tokens):
		put("Slow on this computer: it writes about "+kit.WordsPerSecond(tokens)+", slower than people read. A smaller model is quicker.", theme.ColorNameWarning)
	case p.compat == nil || p.lacksSpeed():
		put("By its size it writes about "+kit.WordsPerSecond(tokens)+" here.", theme.ColorNameForeground)
	}
	return list
}
