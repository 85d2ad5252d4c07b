package panel

import (
	"context"
	"fmt"
	"image"
	"image/png"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"

	"inglenook/ui/kit"
)

// WritePicture draws a picture in pieces and writes it, joined, as PNG. Drawing needs the
// window's goroutine, which is free between two pieces. stop ends the drawing, which removes
// the file; once all is drawn it does nothing.
func (d Host) WritePicture(w fyne.URIWriteCloser, pieces []kit.Piece, join func([]image.Image) image.Image, fail func(error)) (stop func()) {
	ctx, stop := context.WithCancel(d.Life)
	d.drawNext(ctx, pieces, nil, func(parts []image.Image) {
		stop()
		if len(parts) < len(pieces) {
			d.removeUnfinished(w)
			return
		}
		d.Write(w, func(f fyne.URIWriteCloser) error { return png.Encode(f, join(parts)) }, fail)
	})
	return stop
}

// removeUnfinished removes the file of a picture that was stopped.
func (d Host) removeUnfinished(w fyne.URIWriteCloser) {
	err := w.Close()
	if err == nil {
		err = storage.Delete(w.URI())
	}
	if err != nil {
		d.App.Log().Warn("an unfinished picture stays", "err", err)
	}
	d.Tell("The picture was not saved.")
}

// drawNext draws the piece after those that are drawn, soon, and then the others; done gets
// what was drawn until all are, or ctx has ended.
func (d Host) drawNext(ctx context.Context, pieces []kit.Piece, drawn []image.Image, done func([]image.Image)) {
	if len(drawn) == len(pieces) || ctx.Err() != nil {
		done(drawn)
		return
	}
	// By way of another goroutine: what waits for the window's gets its turn before.
	d.Work(func(context.Context) {
		d.Do(func() {
			if ctx.Err() == nil {
				drawn = append(drawn, pieces[len(drawn)]())
				d.Tell(fmt.Sprintf("Drawing the picture: %d of %d parts. Escape stops it.", len(drawn), len(pieces)))
			}
			d.drawNext(ctx, pieces, drawn, done)
		})
	})
}
