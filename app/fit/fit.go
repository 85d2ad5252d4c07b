package fit

import (
	"log/slog"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
)

// Service tells what a model would be on this computer: which devices can run
// it, what memory it takes and how fast it would be.
type Service struct {
	life      *base.Lifetime
	log       *slog.Logger
	devices   *devices.Service
	library   *library.Service
	predictor *Predictor
	advice    advice
}

// New asks nothing yet.
func New(life *base.Lifetime, log *slog.Logger, devices *devices.Service, library *library.Service, predictor *Predictor) *Service {
	return &Service{life: life, log: log, devices: devices, library: library, predictor: predictor}
}
