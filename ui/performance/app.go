package performance

import (
	"context"

	"inglenook/app/fit"
	"inglenook/app/measure"
)

// App is what Performance asks of the application.
type App interface {
	Compat(ctx context.Context, r fit.CompatRequest) (fit.Compat, error)
	Predict(ctx context.Context, r measure.Request) ([][]fit.Prediction, error) // for each place
	Measure(ctx context.Context, r measure.Request, report func(measure.Step)) (measure.Result, error)
	WaitQuiet(ctx context.Context, report func(others float64)) error // until other programs leave the processors alone
	KeepPerformance(p measure.Result) error
	DropPerformance(p measure.Result) error                    // takes one out of what was kept
	LastRate(model string) (tokensPerS float64)                // of its last answer in a chat; 0: there is none yet
	PerformanceHistory(model string) ([]measure.Result, error) // the newest first
}
