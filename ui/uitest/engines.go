package uitest

import (
	"log/slog"
	"path/filepath"

	"inglenook/app/base"
	"inglenook/app/servers"
)

// Engines returns servers that are kept below a folder.
func Engines(home string) *servers.Service {
	p := base.Paths{Data: filepath.Join(home, "data"), Config: filepath.Join(home, "config")}
	log := slog.New(slog.DiscardHandler)
	settings, _ := base.OpenSettings(filepath.Join(p.Config, "settings.json"), log)
	life := base.NewLifetime()
	return servers.New(life, settings, log, base.NewHub(life, settings, log, p, false))
}

// noEngines are those of somebody who added none.
func (d *App) noEngines() *servers.Service {
	log := d.Log()
	settings, _ := base.OpenSettings("/nonexistent/settings.json", log)
	return servers.New(base.NewLifetime(), settings, log, nil)
}
