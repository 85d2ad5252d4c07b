package similarity

import (
	"context"
	"image"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/panel"
)

// App is what Similarity asks of the application.
type App interface {
	Resolve(ctx context.Context, name string) (library.Model, error)
	Similarity(ctx context.Context, r texts.SimilarityRequest, report func(base.Progress)) (texts.SimilarityResult, error)
	panel.ReadingApp
	Embed(ctx context.Context, r texts.EmbedRequest, report func(base.Progress)) (texts.EmbedResult, error)
	Thumbnail(ctx context.Context, path string) (image.Image, error)
	ReadTexts(ctx context.Context, path string) (texts.Texts, error)
}
