package app

import "log/slog"

// FitService tells what a model would be on this computer: which devices can run
// it, what memory it takes and how fast it would be.
type FitService struct {
	life      *Lifetime
	log       *slog.Logger
	devices   *DevicesService
	library   *LibraryService
	predictor *Predictor
}

// NewFitService asks nothing yet.
func NewFitService(life *Lifetime, log *slog.Logger, devices *DevicesService, library *LibraryService, predictor *Predictor) *FitService {
	return &FitService{life: life, log: log, devices: devices, library: library, predictor: predictor}
}
