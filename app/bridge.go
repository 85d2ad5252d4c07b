package app

import (
	"context"

	"inglenook/engine"
	"inglenook/pipeline"
)

// What files that still belong to App call.
func (a *App) begin(ctx context.Context) (context.Context, func(), error) { return a.life.Begin(ctx) }
func (a *App) compatBackends(device string) ([]engine.Backend, error) {
	return a.devices.Backends(device)
}
func (s *SettingsStore) get() Settings                  { return s.Settings() }
func (s *SettingsStore) change(f func(*Settings)) error { return s.SaveSettings(f) }

var _ = pipeline.Profile{}
