package documents

import (
	"context"
	"errors"
	"image"
	"os"
	"slices"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/documents/pages"
)

// ShowsPages reports whether pages of PDF files can be shown as pictures here.
func (s *Service) ShowsPages() bool { return pages.Available() }

// PagePicture draws a page, from 1, of a PDF file. Its longer side has so many pixels.
func (s *Service) PagePicture(ctx context.Context, path string, page, pixels int) (image.Image, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	info, err := os.Stat(path)
	if err != nil {
		return nil, base.FileError(path, err)
	}
	want := picture{path: path, size: info.Size(), modified: info.ModTime(), page: page, pixels: pixels}
	if drawn := s.pictures.get(want); drawn != nil {
		return drawn, nil
	}
	if want.image, err = pages.Render(ctx, path, page, pixels, s.password(path)); err != nil {
		if ctx.Err() == nil && !errors.Is(err, pages.ErrNotAvailable) {
			s.log.Info("page picture", "page", page, "error", err)
		}
		return nil, err
	}
	s.pictures.put(want)
	return want.image, nil
}

// mostPictures is how many pages are kept as pictures: those one leafs through.
const mostPictures = 6

// pictures are the last ones that were drawn.
type pictures struct {
	mu   sync.Mutex
	last []picture // the oldest first
}

// picture is that of a page, of a file as it was.
type picture struct {
	path         string
	size         int64
	modified     time.Time
	page, pixels int
	image        image.Image
}

func (p *pictures) get(want picture) image.Image {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.last, func(one picture) bool {
		one.image = nil
		return one == want
	})
	if i < 0 {
		return nil
	}
	return p.last[i].image
}

func (p *pictures) put(one picture) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last = append(p.last, one); len(p.last) > mostPictures {
		p.last = slices.Delete(p.last, 0, 1)
	}
}
