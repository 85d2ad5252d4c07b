package similarity

import (
	"context"

	"inglenook/app"
)

// App is what Similarity asks of the application.
type App interface {
	Resolve(ctx context.Context, name string) (app.Model, error)
	Similarity(ctx context.Context, r app.SimilarityRequest, report func(app.Progress)) (app.SimilarityResult, error)
	ReadTexts(path string) (app.Texts, error)
}
