package settings

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// fields are what is typed into cards before it is applied.
type fields interface {
	unapplied() []string // names of what is not, as "the proxy"
	apply()
}

// withFields are the cards with fields that wait for a button, and their tabs.
func (p *Panel) withFields() []struct {
	tab int
	fields
} {
	return []struct {
		tab int
		fields
	}{{sectionConnections, p.network}, {sectionPrograms, p.server}, {sectionPrograms, p.tools}, {sectionAdvanced, p.store}}
}

// mark puts a dot on the tabs where something is not applied.
func (p *Panel) mark() {
	pending := map[int]bool{}
	for _, c := range p.withFields() {
		pending[c.tab] = pending[c.tab] || len(c.unapplied()) > 0
	}
	for tab, is := range pending {
		p.sections.mark(tab, is)
	}
}

// Unapplied names what is typed and not applied, as "the proxy".
func (p *Panel) Unapplied() (names []string) {
	for _, c := range p.withFields() {
		names = append(names, c.unapplied()...)
	}
	return names
}

// Apply applies what is typed. Its tab shows what is refused.
func (p *Panel) Apply() {
	turned := false
	for _, c := range p.withFields() {
		if len(c.unapplied()) == 0 {
			continue
		}
		if !turned {
			p.turnTo(c.tab)
		}
		turned = true
		c.apply()
	}
}

func (p *Panel) turnTo(tab int) {
	p.sections.clear()
	p.sections.tabs.Pick(tab)
}

// newPending is the line of a card that says what is not applied.
func newPending() *kit.Paragraph {
	line := kit.NewParagraph("", theme.ColorNameForeground)
	line.Flat.Hide()
	return line
}

// room keeps the height of a line for what is said now and then, so that what stands below does
// not move.
func room(lines ...fyne.CanvasObject) *fyne.Container {
	return container.NewStack(kit.NewParagraph(" ", kit.ColorMuted).Flat, kit.Column(kit.GapSmall, lines...))
}

// pendingText says which fields are not applied; "": all are.
func pendingText(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "Not applied yet: " + strings.Join(names, ", ") + "."
}

// showPending says which fields are not applied, in the line of their card.
func showPending(line *kit.Paragraph, names []string) {
	if len(names) > 0 {
		line.Set(pendingText(names))
	}
	kit.Show(line.Flat, len(names) > 0)
}
