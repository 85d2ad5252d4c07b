package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"inglenook/app/base"
	"inglenook/plain"
)

// diagnosticLines is how much of the log goes into the diagnostics.
const diagnosticLines = 60

// diagnosticRunes bounds the diagnostics, in characters.
const diagnosticRunes = 200_000

func settingsPath(p base.Paths) string { return filepath.Join(p.Config, "settings.json") }

// Diagnostics is a text for a report about a problem: the program, the
// computer, the settings and the end of the log, without secrets, without the
// texts that were compared and without the home folder's name.
func (a *App) Diagnostics() string {
	var b strings.Builder
	v := base.Version()
	fmt.Fprintf(&b, "Inglenook %s", v.Version)
	if v.Commit != "" {
		fmt.Fprintf(&b, " (%.12s)", v.Commit)
	}
	fmt.Fprintf(&b, "\n%s, %s\n", v.System, v.Go)
	for _, name := range []string{"LANG", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "LIBGL_ALWAYS_SOFTWARE"} {
		if value := os.Getenv(name); value != "" {
			fmt.Fprintf(&b, "%s=%s\n", name, value)
		}
	}
	b.WriteString("\nDevices\n")
	for _, d := range a.Devices() {
		b.WriteString("  " + d.Line() + "\n")
	}
	s := a.Settings()
	fmt.Fprintf(&b, "\nSettings\n  theme %s, threads %d, device %s, model %q, window %.0f x %.0f, panel %q\n",
		s.Theme, s.Threads, s.Device, s.Model, s.Window.Width, s.Window.Height, s.Window.Panel)
	for _, path := range s.Recent {
		fmt.Fprintf(&b, "  recent %s\n", path)
	}
	fmt.Fprintf(&b, "\nFolders\n  data %s\n  config %s\n  cache %s\n  hub cache %s\n",
		a.paths.Data, a.paths.Config, a.paths.Cache, strings.Join(a.Folders(), ", "))
	for _, n := range a.notices {
		fmt.Fprintf(&b, "\n%s\n", n)
	}
	fmt.Fprintf(&b, "\nLog\n")
	for _, line := range lastLines(a.paths.Log, diagnosticLines) {
		b.WriteString("  " + line + "\n")
	}
	return plain.Text(base.Redact(b.String()), diagnosticRunes)
}
