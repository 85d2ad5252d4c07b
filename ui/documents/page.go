package documents

import (
	"context"
	"fmt"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// pagePixels is the longer side of a page's picture: sharp on a screen of today, and
// large enough to be read when it fills the window.
const pagePixels = 1600

// pageView shows a page of a PDF file as it looks. It is hidden until there is a
// picture, and where none can be drawn.
type pageView struct {
	*session
	view     *fyne.Container
	picture  *picture
	place    *kit.Line
	back, on *kit.Button
	large    *kit.Sheet
	turned   func(page int) // the person chose another page

	path   string
	page   int // wanted
	pages  int // of the file
	shown  int // in the picture; 0: none
	cancel context.CancelFunc
}

func newPageView(s *session, over func() fyne.CanvasObject) *pageView {
	v := &pageView{session: s, place: kit.NewCaption(""), large: kit.NewSheet(s.Keys, over), turned: func(int) {}}
	v.place.Align = fyne.TextAlignCenter
	v.picture = newPicture(v.enlarge)
	v.back = kit.NewIconButton(s.Keys, theme.NavigateBackIcon(), "Page before", func() { v.turn(-1) })
	v.on = kit.NewIconButton(s.Keys, theme.NavigateNextIcon(), "Next page", func() { v.turn(1) })
	foot := container.NewBorder(nil, nil, v.back, v.on, v.place)
	v.view = kit.Bordered(kit.GapSmall, nil, v.picture, foot)
	v.view.Hide()
	return v
}

// open shows a page of a file with so many pages; no path shows nothing.
func (v *pageView) open(path string, page, pages int) {
	if path != v.path {
		v.shown = 0
		v.picture.set(nil)
		v.large.Close()
	}
	if v.path == path && v.page == page && v.shown == page {
		return
	}
	v.path, v.page, v.pages = path, page, pages
	if v.cancel != nil {
		v.cancel()
	}
	kit.Show(v.view, v.shown > 0)
	if path == "" || page < 1 {
		return
	}
	ctx, cancel := context.WithCancel(v.Life)
	v.cancel = cancel
	v.Work(func(context.Context) {
		defer cancel()
		drawn, err := v.library.PagePicture(ctx, path, page, pagePixels)
		v.Do(func() {
			if ctx.Err() != nil && err != nil || v.path != path || v.page != page {
				return
			}
			v.drawn(drawn, err)
		})
	})
}

// drawn shows the wanted page, or nothing where it cannot be drawn: its text is there.
func (v *pageView) drawn(m image.Image, err error) {
	v.shown = v.page
	if err != nil {
		v.shown, m = 0, nil
	}
	v.picture.set(m)
	v.place.Set(fmt.Sprintf("Page %d of %d", v.page, max(v.page, v.pages)))
	v.back.SetEnabled(v.page > 1)
	v.on.SetEnabled(v.page < v.pages)
	kit.Show(v.view, m != nil)
	v.changed(paged)
	if v.large.Popup != nil {
		v.enlarge()
	}
}

// turn goes to another page.
func (v *pageView) turn(by int) {
	if to := v.page + by; to >= 1 && to <= v.pages {
		v.open(v.path, to, v.pages)
		v.turned(to)
	}
}

// enlarge shows the page as large as the window.
func (v *pageView) enlarge() {
	c := fyne.CurrentApp().Driver().CanvasForObject(v.view)
	if c == nil || v.picture.image.Image == nil {
		return
	}
	page := canvas.NewImageFromImage(v.picture.image.Image)
	page.FillMode = canvas.ImageFillContain
	size := c.Size()
	page.SetMinSize(fyne.NewSize(0, max(200, size.Height-150)))
	v.large.Width = size.Width - 6*kit.Gap
	turn := func(by int) func() {
		return func() {
			v.turn(by)
			v.enlarge()
		}
	}
	var buttons []kit.SheetButton
	if v.page > 1 {
		buttons = append(buttons, kit.SheetButton{Name: "Page before", Run: turn(-1)})
	}
	if v.page < v.pages {
		buttons = append(buttons, kit.SheetButton{Name: "Next page", Run: turn(1)})
	}
	v.large.Open(fmt.Sprintf("Page %d of %d", v.shown, max(v.shown, v.pages)), page, false, append(buttons, kit.SheetButton{Name: "Close", Main: true})...)
}

// picture is a picture in a thin frame that fits it, and that can be clicked.
type picture struct {
	widget.BaseWidget
	image  *canvas.Image
	frame  *canvas.Rectangle
	tapped func()
}

func newPicture(tapped func()) *picture {
	p := &picture{image: &canvas.Image{FillMode: canvas.ImageFillStretch}, frame: &canvas.Rectangle{StrokeWidth: 1}, tapped: tapped}
	p.ExtendBaseWidget(p)
	return p
}

func (p *picture) set(m image.Image) {
	p.image.Image = m
	p.Refresh()
}

// Tapped tells that it was clicked.
func (p *picture) Tapped(*fyne.PointEvent) { p.tapped() }

// Cursor shows that it can be clicked.
func (p *picture) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer draws the picture and its frame.
func (p *picture) CreateRenderer() fyne.WidgetRenderer { return &pictureRenderer{p} }

type pictureRenderer struct{ *picture }

func (r *pictureRenderer) Destroy()                     {}
func (r *pictureRenderer) MinSize() fyne.Size           { return fyne.NewSize(80, 80) }
func (r *pictureRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.image, r.frame} }

func (r *pictureRenderer) Refresh() {
	r.frame.StrokeColor = kit.Themed(kit.ColorLine)
	r.Layout(r.Size())
	r.image.Refresh()
	canvas.Refresh(r.picture)
}

// Layout gives the picture as much room as its shape can use, at the top.
func (r *pictureRenderer) Layout(size fyne.Size) {
	fit := fyne.Size{}
	if m := r.image.Image; m != nil && size.Width > 0 && size.Height > 0 {
		b := m.Bounds()
		scale := min(size.Width/float32(b.Dx()), size.Height/float32(b.Dy()))
		fit = fyne.NewSize(float32(b.Dx())*scale, float32(b.Dy())*scale)
	}
	at := fyne.NewPos((size.Width-fit.Width)/2, 0)
	for _, o := range r.Objects() {
		o.Move(at)
		o.Resize(fit)
	}
}

// besideLayout puts a picture to the right of a text, or above it where the two have
// no room beside each other.
type besideLayout struct{}

// besideWidth is from which width on there is room for both.
const besideWidth float32 = 560

func (besideLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

func (besideLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	text, page := o[0], o[1]
	switch {
	case !page.Visible():
		text.Move(fyne.Position{})
		text.Resize(size)
	case size.Width >= besideWidth:
		w := (size.Width - kit.Gap) / 2
		text.Move(fyne.Position{})
		text.Resize(fyne.NewSize(w, size.Height))
		page.Move(fyne.NewPos(w+kit.Gap, 0))
		page.Resize(fyne.NewSize(w, size.Height))
	default:
		h := (size.Height - kit.Gap) / 2
		page.Move(fyne.Position{})
		page.Resize(fyne.NewSize(size.Width, h))
		text.Move(fyne.NewPos(0, h+kit.Gap))
		text.Resize(fyne.NewSize(size.Width, h))
	}
}
