package texts

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"strings"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/pipeline"
	"inglenook/pipeline/pictures"
	"inglenook/regular"
)

// EmbedPictures turns the pictures of a request into vectors, which can be compared with those
// of texts of the same model. Options about texts are left alone.
func (t *Service) EmbedPictures(ctx context.Context, r EmbedRequest, report func(base.Progress)) (EmbedResult, error) {
	open := func(ctx context.Context, e library.Entry) (pool.Opened[*pipeline.Viewer], error) {
		if !e.Pictures {
			return pool.Opened[*pipeline.Viewer]{}, ErrNoPictures(e.Model)
		}
		return t.pool.OpenViewer(ctx, e, r.Target, report)
	}
	return with(ctx, t, r.Model, t.library.WithoutTexts, open, func(ctx context.Context, e library.Entry, open pool.Opened[*pipeline.Viewer]) (EmbedResult, error) {
		embedding := base.NewStage(base.StageEmbedding, "pictures", report)
		embedding.Texts(0, len(r.Pictures))
		read := func(ctx context.Context, i int) ([]byte, error) { return readPicture(ctx, r.Pictures[i]) }
		got, err := open.Model.Embed(ctx, len(r.Pictures), read, embedding.Texts)
		var bad *pipeline.PictureError
		if errors.As(err, &bad) {
			err = fmt.Errorf("%s cannot be used: %w", filepath.Base(r.Pictures[bad.Index]), bad.Why)
		}
		if err != nil {
			return EmbedResult{}, base.InContext(ctx, err)
		}
		notices := append(open.Notices, got.Notices...)
		t.devices.LogWork("embed pictures", e.ID, got.Device, len(r.Pictures), got.Took, got.Fallbacks, notices)
		t.devices.Note(devices.Work{Job: "embed pictures", Model: e.ID, Took: got.Took}, got.Profile)
		return EmbedResult{
			Vectors: got.Vectors, Tokens: got.Tokens, Truncated: got.Truncated, Took: got.Took, Load: open.Load,
			Model: e.Model, Device: got.Device, Fallbacks: got.Fallbacks, Notices: notices, Notes: got.Notes, Match: got.Match,
		}, nil
	})
}

// ErrNoPictures says that a model reads no pictures, and which do.
func ErrNoPictures(m library.Model) error {
	return fmt.Errorf("%s reads no pictures; choose a model for pictures and texts, such as CLIP", m.Title())
}

// thumbnailSide is how many pixels the longer side of a thumbnail has.
const thumbnailSide = 192

// IsPicture reports whether a file's name is that of a picture. Only PNG and JPEG files can be read;
// [Service.Thumbnail] says so of others.
func IsPicture(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".heic", ".heif", ".avif":
		return true
	}
	return false
}

// Thumbnail reads a PNG or JPEG file and returns it small. An error means that no model can read
// the file.
func (*Service) Thumbnail(ctx context.Context, path string) (image.Image, error) {
	data, err := readPicture(ctx, path)
	if err != nil {
		return nil, err
	}
	small, err := pictures.Small(ctx, data, thumbnailSide)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w", filepath.Base(path), err)
	}
	return small, nil
}

// readPicture reads a file whole.
func readPicture(ctx context.Context, path string) ([]byte, error) {
	data, err := regular.ReadFile(ctx, path, pictures.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be read: %w; choose a PNG or JPEG file of at most %d MB", path, err, pictures.MaxBytes>>20)
	}
	return data, nil
}
