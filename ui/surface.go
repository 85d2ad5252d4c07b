package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

// surface is a plain area in colours of the theme.
type surface struct {
	widget.BaseWidget

	fill   fyne.ThemeColorName
	stroke fyne.ThemeColorName // empty: no border
	radius float32
}

func newSurface(fill, stroke fyne.ThemeColorName, radius float32) *surface {
	s := &surface{fill: fill, stroke: stroke, radius: radius}
	s.ExtendBaseWidget(s)
	return s
}

// CreateRenderer draws the area.
func (s *surface) CreateRenderer() fyne.WidgetRenderer {
	r := &surfaceRenderer{surface: s, rect: &canvas.Rectangle{}}
	r.Refresh()
	return r
}

type surfaceRenderer struct {
	surface *surface
	rect    *canvas.Rectangle
}

func (r *surfaceRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *surfaceRenderer) Layout(size fyne.Size)        { r.rect.Resize(size) }
func (r *surfaceRenderer) Destroy()                     {}
func (r *surfaceRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }

func (r *surfaceRenderer) Refresh() {
	s := r.surface
	r.rect.FillColor, r.rect.CornerRadius = themed(s.fill), s.radius
	if s.stroke != "" {
		r.rect.StrokeColor, r.rect.StrokeWidth = themed(s.stroke), 1
	}
	canvas.Refresh(r.rect)
}

// card puts content on a raised surface, with room around it.
func card(content fyne.CanvasObject) *fyne.Container {
	return container.NewStack(newSurface(colorCard, colorLine, 12), inset(content, 14, 14))
}

// inset leaves room around content.
func inset(content fyne.CanvasObject, vertical, horizontal float32) *fyne.Container {
	return container.New(layout.NewCustomPaddedLayout(vertical, vertical, horizontal, horizontal), content)
}

// column stacks objects with the given gap.
func column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedVBoxLayout(gap), objects...)
}

// row puts objects side by side with the given gap.
func row(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedHBoxLayout(gap), objects...)
}

// bordered puts top and bottom around a centre that takes the rest, with gaps
// between what is visible. Any of the three may be nil.
func bordered(space float32, top, centre, bottom fyne.CanvasObject) *fyne.Container {
	var objects []fyne.CanvasObject
	for _, o := range []fyne.CanvasObject{top, centre, bottom} {
		if o != nil {
			objects = append(objects, o)
		}
	}
	return container.New(&borderedLayout{space, top, centre, bottom}, objects...)
}

type borderedLayout struct {
	space               float32
	top, centre, bottom fyne.CanvasObject
}

// shown reports whether an object takes part: a group of hidden ones does not.
func shown(o fyne.CanvasObject) bool {
	return o != nil && o.Visible() && o.MinSize().Height > 0
}

func (l *borderedLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range []fyne.CanvasObject{l.top, l.centre, l.bottom} {
		if !shown(o) {
			continue
		}
		if size.Height > 0 {
			size.Height += l.space
		}
		m := o.MinSize()
		size.Width = max(size.Width, m.Width)
		size.Height += m.Height
	}
	return size
}

func (l *borderedLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	from, to := float32(0), size.Height
	// A wrapped text knows its height only once it has its width.
	if shown(l.top) {
		l.top.Resize(fyne.NewSize(size.Width, l.top.MinSize().Height))
		h := l.top.MinSize().Height
		l.top.Move(fyne.NewPos(0, 0))
		l.top.Resize(fyne.NewSize(size.Width, h))
		from = h + l.space
	}
	if shown(l.bottom) {
		l.bottom.Resize(fyne.NewSize(size.Width, l.bottom.MinSize().Height))
		h := l.bottom.MinSize().Height
		l.bottom.Move(fyne.NewPos(0, size.Height-h))
		l.bottom.Resize(fyne.NewSize(size.Width, h))
		to = size.Height - h - l.space
	}
	if shown(l.centre) {
		l.centre.Move(fyne.NewPos(0, from))
		l.centre.Resize(fyne.NewSize(size.Width, max(0, to-from)))
	}
}

// show shows or hides an object.
func show(o fyne.CanvasObject, on bool) {
	if on {
		o.Show()
	} else {
		o.Hide()
	}
}

// section heads content with a title and a caption behind it.
func section(title, caption string, content fyne.CanvasObject) fyne.CanvasObject {
	return column(6, container.NewBorder(nil, nil, newSection(title), nil, inset(newCaption(caption), 0, gap)), content)
}

// swatched puts a square of a colour before a line of text.
func swatched(fill fyne.ThemeColorName, name *line) fyne.CanvasObject {
	mark := container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(10), newSurface(fill, "", 3)))
	return container.NewBorder(nil, nil, mark, nil, inset(name, 0, 6))
}
