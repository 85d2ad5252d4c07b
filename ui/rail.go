package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// railWidth is the width of the navigation rail.
const railWidth float32 = 84

// newRail shows the panels, the last of them at the lower end.
func newRail(items []*railItem) fyne.CanvasObject {
	mark := canvas.NewImageFromResource(panel.Logo())
	mark.SetMinSize(fyne.NewSquareSize(40))
	mark.FillMode = canvas.ImageFillContain
	objects := []fyne.CanvasObject{kit.Inset(mark, 6, 0)}
	for i, it := range items {
		if i == len(items)-1 {
			objects = append(objects, layout.NewSpacer())
		}
		objects = append(objects, it)
	}
	return container.NewStack(kit.NewSurface(kit.ColorRail, "", 0), kit.Inset(container.NewVBox(objects...), 10, 2))
}

// railItem leads to a panel.
type railItem struct {
	widget.BaseWidget
	keys    *kit.Keyboard
	panel   panel.Info
	enter   func(id string) // by the keyboard, which stays here
	visit   func(id string) // by a click
	badge   string          // how far something is in the panel; "": nothing is under way
	active  bool
	hovered bool
	focused bool
}

func (it *railItem) mark(hovered, focused bool) {
	it.hovered, it.focused = hovered, focused
	it.keys.Explain(it, hovered || focused, it.panel.About, it.panel.Name)
	it.Refresh()
}

func newRailItem(k *kit.Keyboard, p panel.Info, enter, visit func(id string)) *railItem {
	it := &railItem{keys: k, panel: p, enter: enter, visit: visit}
	it.ExtendBaseWidget(it)
	return it
}

// setBadge shows a few characters at the icon.
func (it *railItem) setBadge(text string) {
	if text != it.badge {
		it.badge = text
		it.Refresh()
	}
}

// Tapped enters the panel.
func (it *railItem) Tapped(*fyne.PointEvent) {
	it.keys.Explain(it, false, "", "")
	it.visit(it.panel.ID)
}

// MouseIn marks the item.
func (it *railItem) MouseIn(*desktop.MouseEvent) {
	it.mark(true, it.focused)
}

// MouseMoved is of no interest.
func (it *railItem) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the mark away.
func (it *railItem) MouseOut() {
	it.mark(false, it.focused)
}

// FocusGained shows the frame of the keyboard.
func (it *railItem) FocusGained() {
	it.mark(it.hovered, true)
}

// FocusLost hides it.
func (it *railItem) FocusLost() {
	it.mark(it.hovered, false)
}

// TypedRune does nothing.
func (it *railItem) TypedRune(rune) {}

// TypedKey enters the panel with Enter or the space bar.
func (it *railItem) TypedKey(e *fyne.KeyEvent) {
	switch {
	case it.keys.Key(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace:
		it.enter(it.panel.ID)
	}
}

// CreateRenderer draws the icon on a pill and the name below.
func (it *railItem) CreateRenderer() fyne.WidgetRenderer {
	r := &railRenderer{item: it, pill: &canvas.Rectangle{CornerRadius: 14}, icon: widget.NewIcon(nil), name: kit.NewLine(it.panel.Name, kit.TextSmall, kit.ColorMuted)}
	r.name.Align = fyne.TextAlignCenter
	r.badge, r.behind = kit.NewLine("", 10, theme.ColorNameForegroundOnPrimary), &canvas.Rectangle{CornerRadius: badgeHeight / 2}
	r.badge.Align, r.badge.Style.Bold, r.badge.Whole = fyne.TextAlignCenter, true, true
	r.Refresh()
	return r
}

type railRenderer struct {
	item *railItem
	pill *canvas.Rectangle
	icon *widget.Icon
	name *kit.Line

	badge  *kit.Line
	behind *canvas.Rectangle // the badge
}

// badgeHeight is that of the badge at an icon.
const badgeHeight float32 = 15

func (r *railRenderer) Destroy()           {}
func (r *railRenderer) MinSize() fyne.Size { return fyne.NewSize(railWidth-4, 54) }
func (r *railRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.pill, r.icon, r.name, r.behind, r.badge}
}

func (r *railRenderer) Layout(size fyne.Size) {
	const pillWidth, pillHeight, icon = 52, 30, 20
	r.pill.Move(fyne.NewPos((size.Width-pillWidth)/2, 4))
	r.pill.Resize(fyne.NewSize(pillWidth, pillHeight))
	r.icon.Move(fyne.NewPos((size.Width-icon)/2, 4+(pillHeight-icon)/2))
	r.icon.Resize(fyne.NewSquareSize(icon))
	r.name.Move(fyne.NewPos(0, 38))
	r.name.Resize(fyne.NewSize(size.Width, 16))
	badge := fyne.NewSize(r.badge.MinSize().Width+8, badgeHeight)
	r.behind.Move(fyne.NewPos(min(size.Width/2+4, size.Width-badge.Width), 1))
	r.behind.Resize(badge)
	r.badge.Move(r.behind.Position())
	r.badge.Resize(badge)
}

func (r *railRenderer) Refresh() {
	it := r.item
	r.pill.StrokeWidth = 0
	r.name.Color, r.name.Style.Bold = kit.ColorMuted, it.active
	switch {
	case it.active:
		r.pill.FillColor = kit.Themed(kit.ColorTint)
		r.icon.SetResource(it.panel.Icon(kit.ColorAccent))
		r.name.Color = theme.ColorNameForeground
		r.pill.Show()
	case it.hovered || it.focused:
		r.pill.FillColor = kit.Themed(theme.ColorNameHover)
		r.icon.SetResource(it.panel.Icon(theme.ColorNameForeground))
		r.pill.Show()
	default:
		r.icon.SetResource(it.panel.Icon(kit.ColorMuted))
		r.pill.Hide()
	}
	if it.focused {
		r.pill.StrokeColor, r.pill.StrokeWidth = kit.Themed(theme.ColorNamePrimary), 2
	}
	r.name.Refresh()
	r.badge.Set(it.badge)
	r.behind.FillColor = kit.Themed(theme.ColorNamePrimary)
	kit.Show(r.badge, it.badge != "")
	kit.Show(r.behind, it.badge != "")
	r.Layout(it.Size())
	canvas.Refresh(r.pill)
}
