package main

import (
	"log"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/fontscan"

	"inglenook/app/base"
	"inglenook/ui/glyphs"
)

// keepToolkit has what Fyne and what draws for it write by themselves in our folders:
// preferences, the index of the system's fonts, compiled shaders. Outside returns to
// the environment as it was while it runs a function that starts another program.
func keepToolkit(p base.Paths, to *slog.Logger) (outside func(func())) {
	log.SetFlags(0)
	log.SetOutput(lines{to}) // Fyne's own words are for the log
	fonts := filepath.Join(p.Cache, "fonts")
	if err := os.MkdirAll(fonts, 0o700); err != nil {
		to.Warn("no folder for the index of fonts", "error", err)
	}
	system, err := fontscan.SystemFonts(silent{}, fonts) // the first call says where the index lies
	if err != nil {
		to.Warn("no fonts of the system", "error", err)
	}
	glyphs.Know(system)
	os.Setenv("MESA_SHADER_CACHE_DIR", filepath.Join(p.Cache, "shaders"))
	before, was := os.LookupEnv("XDG_CONFIG_HOME")
	os.Setenv("XDG_CONFIG_HOME", p.Config)
	return func(start func()) {
		if was {
			os.Setenv("XDG_CONFIG_HOME", before)
		} else {
			os.Unsetenv("XDG_CONFIG_HOME")
		}
		defer os.Setenv("XDG_CONFIG_HOME", p.Config)
		start()
	}
}

// toolkit is Fyne's application, whose programs for links start in the person's own
// environment.
type toolkit struct {
	fyne.App
	outside func(func())
}

// OpenURL opens an address with the system's program for it.
func (t toolkit) OpenURL(u *url.URL) (err error) {
	t.outside(func() { err = t.App.OpenURL(u) })
	return err
}

// endPatience is how long Fyne has to end by itself.
const endPatience = time.Second

// Quit ends the window. Fyne 2.7.4 runs its last event, which saves preferences, on a loop
// that may have ended just before, and then waits for it for ever: Lifecycle.WaitForEvents
// queues behind it. So after a moment a second reader takes the rest of the queue. Where
// Fyne has ended by itself the queue is closed, and there is nothing to read.
func (t toolkit) Quit() {
	t.App.Quit()
	queue, ok := t.App.Lifecycle().(interface {
		RunEventQueue(run func(event func(), wait bool))
	})
	if ok {
		time.AfterFunc(endPatience, func() { queue.RunEventQueue(func(event func(), _ bool) { event() }) })
	}
}

// lines writes the lines of Go's plain log to ours.
type lines struct{ to *slog.Logger }

func (l lines) Write(p []byte) (int, error) {
	l.to.Warn("toolkit", "says", strings.TrimSpace(string(p)))
	return len(p), nil
}

// silent takes what is said about fonts; an error is returned as well.
type silent struct{}

func (silent) Printf(string, ...any) {}
