package ui

import (
	"context"
	"errors"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/filedialog/system"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Size of the window on a first start, and the smallest that it can have.
const (
	firstWidth  float32 = 1240
	firstHeight float32 = 800
)

// Run opens the window and returns when it is closed. It must be called from
// the main goroutine.
func Run(fyneApp fyne.App, a App, kept Stores, o Options) error {
	fyne.SetCurrentApp(kit.Adapted(fyneApp))
	s := newShell(fyneApp, a, kept, fyne.Do)
	s.files = s.newDialogs(system.Choosers(fyne.Do))
	if opens := system.Opener(); opens != nil {
		s.opens = opens
	}
	s.opensAt = system.OpenerAt()
	w, err := openWindow(fyneApp)
	if err != nil {
		return err
	}
	s.attach(w)
	s.keys.Blink = s.do
	w.SetContent(greeting())
	fyneApp.Lifecycle().SetOnStarted(func() {
		a.Log().Info("window open")
		time.AfterFunc(greets, func() {
			s.do(func() {
				w.SetContent(s.view)
				s.start(o)
			})
		})
	})
	fyneApp.Lifecycle().SetOnEnteredForeground(s.lookAtServers)
	s.window.ShowAndRun()
	s.end()
	s.saver.Flush()
	s.wait()
	return nil
}

// greets is how long the window has to paint the greeting, at least.
const greets = 80 * time.Millisecond

// greeting is what the window shows while its rooms are painted for the first time, which takes a moment: without
// it the window is black until then.
func greeting() fyne.CanvasObject {
	name := kit.NewSection("Inglenook")
	return container.NewStack(kit.NewSurface(theme.ColorNameBackground, "", 0), container.NewCenter(name))
}

// openWindow makes the window. Its driver panics where the display does not answer.
func openWindow(fyneApp fyne.App) (w fyne.Window, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("no window can open, because the display does not answer; check DISPLAY, or use inglenook demo in this terminal")
		}
	}()
	return fyneApp.NewWindow("Inglenook"), nil
}

// attached hears of the window; a build for scripts/uitest.sh answers there where things stand.
var attached = func(fyne.Window) {}

// attach puts the content into a window.
func (s *shell) attach(w fyne.Window) {
	s.window = w
	w.SetMaster()
	w.SetPadded(false)
	w.SetContent(s.view)
	w.SetOnDropped(s.dropped)
	w.SetCloseIntercept(s.mayQuit)
	s.keys.Install(w.Canvas(), s.keyGroups())
	attached(w)
	kept := s.app.Settings().Window
	size := fyne.NewSize(firstWidth, firstHeight)
	if kept.Width > 0 && kept.Height > 0 {
		size = fyne.NewSize(kept.Width, kept.Height)
	}
	w.Resize(size)
	if kept.Full {
		w.SetFullScreen(true)
	}
}

// start opens the panels and listens for later starts of the program.
func (s *shell) start(o Options) {
	s.models.Watch() // downloads of an earlier start go on
	if s.current == panel.Similarity {
		s.similarity.Open(o.Model)
	} else {
		s.similarity.Later()
	}
	s.chat.Open()
	s.models.Watch()
	s.documents.Watch()
	s.settings.Begin()
	s.performance.Watch()
	s.openNamed(o.Model)
	if notices := s.app.Notices(); len(notices) > 0 {
		s.similarity.Warn(strings.Join(notices, " "))
	}
	if o.Focus == nil {
		return
	}
	s.work(func(ctx context.Context) {
		for {
			select {
			case <-ctx.Done():
				return
			case model, ok := <-o.Focus:
				if !ok {
					return
				}
				s.do(func() { s.forward(model) })
			}
		}
	})
}

// forward brings the window to the front, with another model where one is
// named.
func (s *shell) forward(model string) {
	if s.window != nil {
		s.window.Show()
		s.window.RequestFocus()
	}
	if model != "" {
		s.openNamed(model)
	}
}

// openNamed goes to the panel of the model that the program was started with: one
// that can write is for Chat.
func (s *shell) openNamed(model string) {
	if model == "" {
		return
	}
	s.work(func(ctx context.Context) {
		m, err := s.app.Resolve(ctx, model)
		s.do(func() {
			if err == nil && m.CanWrite() {
				s.enter(panel.Chat)
				s.chat.Use(m)
				return
			}
			s.similarity.Use(model) // which says so if there is no such model
			s.enter(panel.Similarity)
		})
	})
}

// Options say how the window opens.
type Options struct {
	// Model is the model to open with: any name that App.Resolve takes. Empty:
	// the one used last, else the bundled one.
	Model string
	// Focus delivers the requests of later starts of the program: each brings
	// the window to the front, and a name that is not empty chooses that model.
	// It may be nil.
	Focus <-chan string
}
