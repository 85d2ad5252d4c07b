package documents

import (
	"context"
	"image"

	"inglenook/app/base"
	"inglenook/app/documents"
)

// Library is what the room asks of the application's documents. *documents.Service
// satisfies it.
type Library interface {
	Collections(ctx context.Context) ([]documents.Collection, error)
	Add(ctx context.Context, r documents.AddRequest) (documents.Collection, error)
	// Had finds what of some paths a collection has already; "": any.
	Had(ctx context.Context, collection string, paths []string) ([]documents.Had, error)
	AddSamples(ctx context.Context) (documents.Collection, error)
	// TakeOff makes a collection no longer cover a folder or file. Add brings it back as it was, until
	// Forget deletes what was kept of it.
	TakeOff(ctx context.Context, collection, path string) error
	Forget(ctx context.Context, collection string) error
	Remove(ctx context.Context, collection string) error
	Rename(ctx context.Context, collection, name string) error
	SetModel(ctx context.Context, collection, model string) error

	// Watch keeps all collections in step with their files until ctx ends.
	Watch(ctx context.Context, report func(documents.Watched)) error
	Index(ctx context.Context, r documents.IndexRequest, report func(documents.Event), loading func(base.Progress)) (documents.IndexResult, error)
	Unlocks(ctx context.Context, path, password string) (bool, error) // whether it opens a locked file
	Pause(collection string)
	Resume(collection string)
	Health(ctx context.Context, collection string) ([]documents.File, error)
	Files(ctx context.Context, collection string) ([]documents.File, error)

	Search(ctx context.Context, r documents.SearchRequest) (documents.SearchResult, error)
	// Settle says of what a search found whether anything is close, where that is unsettled.
	Settle(ctx context.Context, found documents.SearchResult) (documents.SearchResult, error)
	// Pinpoint sets Best of passages to the sentence that answers a question best by meaning. Those of
	// which that is not known stay as they are, also where there is an error.
	Pinpoint(ctx context.Context, question string, passages []documents.Result) ([]documents.Result, error)
	// Rerank has a model read what a search found, and returns it in the new order.
	Rerank(ctx context.Context, found documents.SearchResult, r documents.RerankRequest, report func(base.Progress)) (documents.SearchResult, error)
	MoreLike(ctx context.Context, r documents.Result, limit int, f documents.Filter) (documents.SearchResult, error)
	Open(ctx context.Context, r documents.Result) (documents.Opened, error)
	// Examples are a few questions to begin with; none is no error.
	Examples(ctx context.Context, collection string) ([]string, error)

	// ShowsPages reports whether PagePicture can draw pages of PDF files.
	ShowsPages() bool
	PagePicture(ctx context.Context, path string, page, pixels int) (image.Image, error)
}

var _ Library = (*documents.Service)(nil)
