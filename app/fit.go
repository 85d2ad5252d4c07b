package app

import (
	"context"
	"log/slog"

	"inglenook/pipeline"
)

// FitService tells what a model would be on this computer: which devices can run
// it, what memory it takes and how fast it would be.
type FitService struct {
	life    *Lifetime
	log     *slog.Logger
	devices *DevicesService
	library *LibraryService
	speeds  *speeds

	foreseeOn func(ctx context.Context, device string, x *pipeline.Outline) ([]Prediction, error)
}

// NewFitService measures nothing yet.
func NewFitService(life *Lifetime, log *slog.Logger, p Paths, devices *DevicesService, library *LibraryService) *FitService {
	return &FitService{life: life, log: log, devices: devices, library: library, speeds: &speeds{path: speedsPath(p)}}
}
