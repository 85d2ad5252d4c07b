package models

import (
	"context"

	"inglenook/app"
)

// App is what Models asks of the application.
type App interface {
	Library
	Hub
	Downloads

	Compat(ctx context.Context, r app.CompatRequest) (app.Compat, error)
	PerformanceHistory(model string) ([]app.Performance, error) // the newest first
}

// Library is what is here: on the disk and in memory.
type Library interface {
	Library(ctx context.Context) ([]app.Installed, error)
	OpenModels() []app.OpenModel
	CloseModel(id string) (freed int64, err error)
	FreeMemory() int64 // bytes; 0: unknown

	VerifyModel(ctx context.Context, id string, report func(app.Progress)) (app.Verification, error)
	RepairModel(ctx context.Context, id string, report func(app.Progress)) (app.Verification, error)
	RemoveModel(id string) (app.Removed, error)
	RestoreModel(r app.Removed) error
	Trash() []app.Removed
	EmptyTrash() (freed int64, err error)
}

// Hub is what could be here.
type Hub interface {
	Catalogue() []app.CatalogueEntry
	SearchHub(ctx context.Context, r app.SearchRequest) ([]app.Found, error)
	Preview(ctx context.Context, r app.PreviewRequest) (app.Preview, error)
	UpdateOf(ctx context.Context, id string) (commit string, err error) // "": there is none
	Offline() bool
}

// Downloads are on their way here.
type Downloads interface {
	Downloads() []app.Download
	StartDownload(ctx context.Context, r app.DownloadRequest) error
	PauseDownload(id, revision string) error
	ResumeDownload(id, revision string) error
	CancelDownload(id, revision string) error
	MoveDownload(id, revision string, place int) error
	ClearDownloads()
}
