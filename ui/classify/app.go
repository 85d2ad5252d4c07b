package classify

import (
	"context"
	"image"

	"inglenook/app/base"
	"inglenook/app/texts"
)

// App is what the page asks of the application.
type App interface {
	Classify(ctx context.Context, r texts.ClassifyRequest, report func(base.Progress)) (texts.ClassifyResult, error)
	Thumbnail(ctx context.Context, path string) (image.Image, error)
	ReadTexts(ctx context.Context, path string) (texts.Texts, error)
}
