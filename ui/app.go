package ui

import (
	"context"
	"log/slog"

	"inglenook/app"
)

// App is what the window asks of the application. *app.App satisfies it.
type App interface {
	Devices() []app.Device
	Models(ctx context.Context) ([]app.Model, error)
	Resolve(ctx context.Context, name string) (app.Model, error)
	AddModel(ctx context.Context, path string) (app.Model, error)
	ForgetModel(id string) error
	Similarity(ctx context.Context, r app.SimilarityRequest, report func(app.Progress)) (app.SimilarityResult, error)
	Compat(ctx context.Context, r app.CompatRequest) (app.Compat, error)
	Usage() app.Usage                                                                  // what the computer and the program use now
	Predict(ctx context.Context, r app.PerformanceRequest) ([][]app.Prediction, error) // for each place
	Measure(ctx context.Context, r app.PerformanceRequest, report func(app.PerformanceStep)) (app.Performance, error)
	KeepPerformance(p app.Performance) error
	PerformanceHistory(model string) ([]app.Performance, error) // the newest first
	ReadTexts(path string) (app.Texts, error)
	ReadText(path string) (string, error) // all of a text file
	Settings() app.Settings
	SaveSettings(change func(*app.Settings)) error
	Diagnostics() string
	Notices() []string // what went wrong at the start, in sentences
	Paths() app.Paths
	Log() *slog.Logger
	Library
	Network
}
