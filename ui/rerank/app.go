package rerank

import (
	"context"

	"inglenook/app/base"
	"inglenook/app/texts"
	"inglenook/ui/panel"
)

// App is what Rerank asks of the application.
type App interface {
	panel.ReadingApp
	Rerank(ctx context.Context, r texts.RerankRequest, report func(base.Progress)) (texts.RerankResult, error)
	FindTexts(ctx context.Context, r texts.FindRequest, report func(base.Progress)) (texts.FindResult, error)
	ReadTexts(ctx context.Context, path string) (texts.Texts, error)
}
