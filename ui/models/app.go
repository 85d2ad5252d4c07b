package models

import (
	"context"

	"inglenook/app/base"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/app/pool"
)

// App is what Models asks of the application.
type App interface {
	Library
	Hub
	Downloads
	Engines

	Suggest(ctx context.Context) ([]fit.Suggestion, error)
	Compat(ctx context.Context, r fit.CompatRequest) (fit.Compat, error)
	LastRate(model string) (tokensPerS float64)                // of its last answer in a chat; 0: there is none yet
	PerformanceHistory(model string) ([]measure.Result, error) // the newest first
}

// Library is what is here: on the disk and in memory.
type Library interface {
	Library(ctx context.Context) ([]pool.Installed, error)
	AddModels(ctx context.Context, path string) (added []library.Model, err error) // err may be about some of several
	OpenModels() []pool.OpenModel
	CloseModel(id string) (freed int64, err error)
	FreeMemory() int64                                                // bytes; 0: unknown
	FreeDisk() int64                                                  // bytes; 0: unknown
	Card(ctx context.Context, id string) (markdown string, err error) // "": it has none

	VerifyModel(ctx context.Context, id string, report func(base.Progress)) (downloads.Verification, error)
	RepairModel(ctx context.Context, id string, report func(base.Progress)) (downloads.Verification, error)
	RemoveModel(id string) (downloads.Removed, error)
	RestoreModel(r downloads.Removed) error
	Trash() []downloads.Removed
	DeleteRemoved(r downloads.Removed) (freed int64, err error)
}

// Hub is what could be here.
type Hub interface {
	Catalogue() []library.CatalogueEntry
	SearchHub(ctx context.Context, r downloads.SearchRequest) ([]downloads.Found, error)
	Preview(ctx context.Context, r downloads.PreviewRequest) (downloads.Preview, error)
	UpdateOf(ctx context.Context, id string) (commit string, err error) // "": there is none
	Offline() bool
}

// Downloads are on their way here.
type Downloads interface {
	Downloads() []downloads.Download
	StartDownload(ctx context.Context, r downloads.DownloadRequest) error
	PauseDownload(id, revision string) error
	ResumeDownload(id, revision string) error
	CancelDownload(id, revision string) error
	SetAside(id, revision string) error  // cancels it, and keeps what came for BringBack
	BringBack(id, revision string) error // and CancelDownload deletes that
	MoveDownload(id, revision string, place int) error
	ClearDownloads()
}
