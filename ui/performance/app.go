package performance

import (
	"context"

	"inglenook/app"
)

// App is what Performance asks of the application.
type App interface {
	Compat(ctx context.Context, r app.CompatRequest) (app.Compat, error)
	Predict(ctx context.Context, r app.PerformanceRequest) ([][]app.Prediction, error) // for each place
	Measure(ctx context.Context, r app.PerformanceRequest, report func(app.PerformanceStep)) (app.Performance, error)
	KeepPerformance(p app.Performance) error
	PerformanceHistory(model string) ([]app.Performance, error) // the newest first
}
