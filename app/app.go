package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

// closePatience is how long Close waits for work to end, if nobody says otherwise.
const closePatience = 1800 * time.Millisecond

// Options say how to start; the zero value is right for a program.
type Options struct {
	Home    string    // data, config and cache below this folder; "": INGLENOOK_HOME or the XDG folders
	Threads int       // CPU threads; 0: what the settings say
	ISA     string    // CPU kernels: "avx512", "avx2", "generic"; "": the best one here
	Offline bool      // no connection at all, whatever the settings say
	Verbose bool      // the log goes to Stderr as well
	Stderr  io.Writer // for Verbose
}

// App is the application. Its methods may be called from any goroutine.
type App struct {
	options  Options
	paths    Paths
	log      *slog.Logger
	logFile  *rotatingFile // nil where it can't be written
	settings *settingsStore
	notices  []string
	openers  openers
	shelf    *shelf
	devices  *devices
	proofs   *proofs
	history  *history
	speeds   *speeds
	activity activity
	talks    *Talks
	network  *network
	queue    downloads

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	busy   sync.WaitGroup // one for each call under way

	patience time.Duration // of Close

	mu     sync.Mutex
	closed bool
	claim  *claim
}

// New starts the application. A full or read-only disk, missing rights and
// damaged settings do not stop it: [App.Notices] says what was wrong.
func New(o Options) (*App, error) {
	if err := roomToRun(); err != nil {
		return nil, err
	}
	a := &App{options: o, paths: findPaths(o.Home), openers: realOpeners(), shelf: newShelf(), patience: closePatience}
	a.ctx, a.cancel = context.WithCancel(context.Background())

	var file io.Writer
	logFile, err := openRotating(a.paths.Log, logFileBytes, logFiles)
	if err == nil {
		a.logFile, file = logFile, logFile
	} else {
		a.notice(fmt.Sprintf("Nothing can be written to %s (%v), so settings and the log are not kept; free some space or check the folder's rights.", ShortPath(a.paths.Data), plainError(err)))
	}
	a.log = newLog(file, o.Verbose, o.Stderr)
	settings, note := openSettings(settingsPath(a.paths), a.log)
	a.settings = settings
	a.notice(note)
	a.devices = newDevices(o.ISA)
	a.proofs = &proofs{path: proofsPath(a.paths), log: a.log}
	a.speeds = &speeds{path: speedsPath(a.paths)}
	a.history = &history{path: historyPath(a.paths)}
	a.talks = newTalks(a)
	a.shelf.holder = a.talks
	a.network = newNetwork(a.paths)
	a.log.Info("start", "version", Version().Version, "threads", a.threads())
	return a, nil
}

func (a *App) notice(sentence string) {
	if sentence != "" {
		a.notices = append(a.notices, sentence)
	}
}

// Notices are sentences about what was not in order at the start.
func (a *App) Notices() []string { return a.notices }

// Paths are the program's own folders.
func (a *App) Paths() Paths { return a.paths }

// Log is the program's log. Secrets and the home folder's name are taken out
// of what is written to it.
func (a *App) Log() *slog.Logger { return a.log }

// threads is the number of CPU threads to use; 0: as the backend likes.
func (a *App) threads() int {
	if a.options.Threads > 0 {
		return a.options.Threads
	}
	return a.settings.get().Threads
}

// errClosing is what a call gets that comes after Close.
var errClosing = errors.New("the program is closing, so nothing new begins")

// begin notes that a call is under way; its context ends with the caller's or
// with Close. done must be called at the end.
func (a *App) begin(ctx context.Context) (_ context.Context, done func(), _ error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, nil, errClosing
	}
	a.busy.Add(1)
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(a.ctx, cancel)
	return ctx, func() {
		stop()
		cancel()
		a.busy.Done()
	}, nil
}

// Close ends all work, frees the models and gives the data folder free. It
// returns within two seconds; an error says that some work had not ended by
// then (or by ctx's end), and its memory is left to the system.
func (a *App) Close(ctx context.Context) error {
	a.mu.Lock()
	first := !a.closed
	a.closed = true
	held := a.claim
	a.claim = nil
	a.mu.Unlock()
	if !first {
		return nil
	}
	a.cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if held != nil {
			held.close()
		}
		a.busy.Wait()
	}()
	late := time.NewTimer(a.patience)
	defer late.Stop()
	select {
	case <-ended:
	case <-late.C:
		return a.abandon("work did not end in time")
	case <-ctx.Done():
		return a.abandon("closing was cut short")
	}
	a.queue.close()
	a.network.close()
	talked := a.talks.close()
	err := errors.Join(a.shelf.close(), a.devices.close())
	a.log.Info("end")
	return errors.Join(talked, err, a.closeLog())
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
