package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/documents"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/app/pool"
	"inglenook/app/servers"
	"inglenook/app/texts"
	"inglenook/app/tokens"
	"inglenook/app/tools"
	"inglenook/pipeline"
	"inglenook/plain"
)

// closePatience is how long Close waits for work to end, if nobody says otherwise.
const closePatience = 1800 * time.Millisecond

// lookForUnused is how often is looked for models that nobody used for a while.
const lookForUnused = 30 * time.Second

// Options say how to start; the zero value is right for a program.
type Options struct {
	Home    string    // data, config and cache below this folder; "": INGLENOOK_HOME or the XDG folders
	Threads int       // CPU threads; 0: what the settings say
	ISA     string    // CPU kernels: "avx512", "avx2", "generic"; "": the best one here
	Offline bool      // no connection at all, whatever the settings say
	Verbose bool      // the log goes to Stderr as well
	Stderr  io.Writer // for Verbose
	// Apart reads documents, and tries devices that never passed a test, in processes of
	// their own: this program again, with documents.ReaderArgument, which it has to hand
	// to documents.ServeReader, or with devices.TrialArgument, for devices.ServeTrial.
	Apart bool

	Openers *pool.Openers // how models are opened; nil: by package pipeline
}

// The parts, under names that App can embed.
type (
	settingsPart  = base.SettingsStore
	hubPart       = base.Hub
	devicesPart   = devices.Service
	libraryPart   = library.Service
	fitPart       = fit.Service
	poolPart      = pool.Pool
	downloadsPart = downloads.Service
	textsPart     = texts.Service
	measurePart   = measure.Runner
)

// App is the application: it makes the parts and ends them. It embeds them, so that it
// is what the small interfaces of the window and the command line ask for. Nothing below
// takes an App. Its methods may be called from any goroutine.
type App struct {
	paths   base.Paths
	log     *slog.Logger
	logFile *rotatingFile // nil where it can't be written
	notices []string
	life    *base.Lifetime
	talks   *chat.Service
	papers  *documents.Service
	tools   *tools.Service
	tokens  *tokens.Store

	serversPart *servers.Service

	*settingsPart
	*hubPart
	*devicesPart
	*libraryPart
	*fitPart
	*poolPart
	*downloadsPart
	*textsPart
	*measurePart

	patience time.Duration // of Close

	mu    sync.Mutex
	claim *claim

	openers *pool.Openers
}

// New starts the application. A full or read-only disk, missing rights and
// damaged settings do not stop it: [App.Notices] says what was wrong.
func New(o Options) (*App, error) {
	if err := errors.Join(roomToRun(), base.CheckHome(o.Home)); err != nil {
		return nil, err
	}
	a := &App{paths: base.FindPaths(o.Home), life: base.NewLifetime(), patience: closePatience, openers: cmp.Or(o.Openers, pool.RealOpeners())}
	var file io.Writer
	logFile, err := openRotating(a.paths.Log, logFileBytes, logFiles)
	if err == nil {
		a.logFile, file = logFile, logFile
	} else {
		a.notice(unkept(a.paths.Data, err))
	}
	a.log = newLog(file, o.Verbose, o.Stderr)
	settings, note := base.OpenSettings(settingsPath(a.paths), a.log)
	a.notice(note)
	a.settingsPart = settings
	a.hubPart = base.NewHub(a.life, settings, a.log, a.paths, o.Offline)
	a.devicesPart = devices.New(settings, a.log, a.paths, devices.Options{Threads: o.Threads, ISA: o.ISA, Apart: o.Apart, Tell: o.tell})
	a.serversPart = servers.New(a.life, settings, a.log, a.hubPart)
	a.libraryPart = library.New(a.life, settings, a.log, a.serversPart, func(files fs.FS, weightsFile string) (pipeline.Description, error) {
		return a.openers.Describe(files, weightsFile)
	})
	predictor := fit.NewPredictor(a.log, a.paths, a.devicesPart)
	a.fitPart = fit.New(a.life, a.log, a.devicesPart, a.libraryPart, predictor)
	a.poolPart = pool.New(a.log, a.devicesPart, a.libraryPart, a.serversPart, a.openers)
	a.downloadsPart = downloads.New(a.life, a.log, a.paths, a.hubPart, a.libraryPart, a.fitPart, a.poolPart)
	choices := held.New(a.log, a.paths)
	a.textsPart = texts.New(a.life, a.log, a.devicesPart, a.libraryPart, a.poolPart, choices)
	a.measurePart = measure.New(a.life, a.log, a.paths, a.devicesPart, a.libraryPart, predictor, a.poolPart, a.textsPart)
	a.papers = documents.New(a.life, a.log, a.paths, a.devicesPart, a.libraryPart, a.poolPart, choices, documents.Options{Apart: o.Apart, Busy: func() bool { return a.talks.Working() }, Offline: a.hubPart.Offline})
	a.tokens = tokens.New(a.paths)
	a.tools = tools.New(a.life, a.log, a.paths, a.hubPart, a.papers)
	a.talks = chat.New(a.life, settings, a.log, a.paths, a.devicesPart, a.libraryPart, a.poolPart, a.papers, a.tools)
	a.poolPart.SetHolder(a.talks)
	settings.Changed(func(before, after base.Settings) {
		if after.PrefixLimit() < before.PrefixLimit() {
			a.talks.TrimPrefixes()
		}
	})
	if ctx, done, err := a.life.Begin(context.Background()); err == nil {
		go func() {
			defer done()
			a.poolPart.CloseUnusedFor(ctx, lookForUnused, func() time.Duration { return settings.Settings().Unload() })
		}()
	}
	a.log.Info("start", "version", base.Version().Version, "threads", a.Threads())
	return a, nil
}

// tell writes a sentence about what just happened to standard error, where there is one.
func (o Options) tell(sentence string) {
	if o.Stderr != nil {
		fmt.Fprintln(o.Stderr, "note: "+plain.Line(sentence, 500))
	}
}

func (a *App) notice(sentence string) {
	if sentence != "" {
		a.notices = append(a.notices, sentence)
	}
}

// Notices are sentences about what was not in order at the start.
func (a *App) Notices() []string { return a.notices }

// Paths are the program's own folders.
func (a *App) Paths() base.Paths { return a.paths }

// Chat are the conversations.
func (a *App) Chat() *chat.Service { return a.talks }

// Documents are the collections of a person's files.
func (a *App) Documents() *documents.Service { return a.papers }

// ReadTexts reads the texts of a file, also of one whose text has to be taken out of it, such as PDF.
func (a *App) ReadTexts(ctx context.Context, path string) (texts.Texts, error) {
	if !documents.Attaches(path) {
		return a.textsPart.ReadTexts(ctx, path)
	}
	text, notes, err := a.papers.Text(ctx, path)
	if err != nil {
		return texts.Texts{}, err
	}
	t := texts.Cut(text)
	t.Note = strings.TrimSpace(strings.Join(append(notes, t.Note), " "))
	return t, nil
}

// Engines are the servers elsewhere that a person added.
func (a *App) Engines() *servers.Service { return a.serversPart }

// Tools are the tool servers that a person added.
func (a *App) Tools() *tools.Service { return a.tools }

// Tokens are those with which other programs may ask the server.
func (a *App) Tokens() *tokens.Store { return a.tokens }

// OpenChat opens a model for writing.
func (a *App) OpenChat(ctx context.Context, o pool.WriterOptions, report func(base.Progress)) (*chat.Writer, error) {
	return a.talks.OpenChat(ctx, o, report)
}

// Log is the program's log. Secrets and the home folder's name are taken out
// of what is written to it.
func (a *App) Log() *slog.Logger { return a.log }

// Close ends all work, frees the models and unlocks the data folder. It
// returns within two seconds; an error says that some work had not ended by
// then (or by ctx's end), and its memory is left to the system.
func (a *App) Close(ctx context.Context) error {
	if !a.life.End() {
		return nil
	}
	a.mu.Lock()
	held := a.claim
	a.claim = nil
	a.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if held != nil {
			held.close()
		}
		a.life.Wait()
	}()
	late := time.NewTimer(a.patience)
	defer late.Stop()
	select {
	case <-ended:
	case <-late.C:
		return a.abandon("work did not end in time")
	case <-ctx.Done():
		return a.abandon("closing was interrupted")
	}
	toolsErr := a.tools.Close()
	a.downloadsPart.Close()
	a.hubPart.Close()
	closed := a.serversPart.Close()
	talked := errors.Join(a.talks.Close(), a.papers.Close())
	err := errors.Join(closed, a.poolPart.Close(), a.devicesPart.Close())
	a.log.Info("end")
	return errors.Join(talked, toolsErr, err, a.closeLog())
}

func (a *App) abandon(why string) error {
	a.log.Warn(why)
	return errors.Join(errors.New(why), a.closeLog())
}

func (a *App) closeLog() error {
	if a.logFile == nil {
		return nil
	}
	return a.logFile.Close()
}
