package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"
)

// Surface is a plain area in colours of the theme.
type Surface struct {
	widget.BaseWidget

	fill   fyne.ThemeColorName
	stroke fyne.ThemeColorName // empty: no border
	radius float32
}

func NewSurface(fill, stroke fyne.ThemeColorName, radius float32) *Surface {
	s := &Surface{fill: fill, stroke: stroke, radius: radius}
	s.ExtendBaseWidget(s)
	return s
}

// NewDot is a small round mark, as beside the name of a device.
func NewDot(color fyne.ThemeColorName) fyne.CanvasObject {
	return container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(8), NewSurface(color, "", 4)))
}

// CreateRenderer draws the area.
func (s *Surface) CreateRenderer() fyne.WidgetRenderer {
	r := &surfaceRenderer{surface: s, rect: &canvas.Rectangle{}}
	r.Refresh()
	return r
}

type surfaceRenderer struct {
	surface *Surface
	rect    *canvas.Rectangle
}

func (r *surfaceRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *surfaceRenderer) Layout(size fyne.Size)        { r.rect.Resize(size) }
func (r *surfaceRenderer) Destroy()                     {}
func (r *surfaceRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }

func (r *surfaceRenderer) Refresh() {
	s := r.surface
	r.rect.FillColor, r.rect.CornerRadius = Themed(s.fill), s.radius
	if s.stroke != "" {
		r.rect.StrokeColor, r.rect.StrokeWidth = Themed(s.stroke), 1
	}
	canvas.Refresh(r.rect)
}

// Card puts content on a raised surface, with room around it.
func Card(content fyne.CanvasObject) *fyne.Container {
	return container.NewStack(NewSurface(ColorCard, ColorLine, 12), Inset(content, 14, 14))
}

// Inset leaves room around content.
func Inset(content fyne.CanvasObject, vertical, horizontal float32) *fyne.Container {
	return container.New(layout.NewCustomPaddedLayout(vertical, vertical, horizontal, horizontal), content)
}

// Column stacks objects with the given gap.
func Column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedVBoxLayout(gap), objects...)
}

// Row puts objects side by side with the given gap.
func Row(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedHBoxLayout(gap), objects...)
}

// Bordered puts top and bottom around a centre that takes the rest, with gaps
// between what is visible. Any of the three may be nil.
func Bordered(space float32, top, centre, bottom fyne.CanvasObject) *fyne.Container {
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

// Show shows or hides an object.
func Show(o fyne.CanvasObject, on bool) {
	if on {
		o.Show()
	} else {
		o.Hide()
	}
}

// Section heads content with a title and a caption behind it.
func Section(title, caption string, content fyne.CanvasObject) fyne.CanvasObject {
	return Column(6, container.NewBorder(nil, nil, NewSection(title), nil, Inset(NewCaption(caption), 0, Gap)), content)
}

// Swatched puts a square of a colour before a line of text.
func Swatched(fill fyne.ThemeColorName, name *Line) fyne.CanvasObject {
	mark := container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(10), NewSurface(fill, "", 3)))
	return container.NewBorder(nil, nil, mark, nil, Inset(name, 0, 6))
}
