// Inglenook computes with language models on this computer: in a window, or in
// the terminal with a subcommand (see "inglenook help").
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	inglenook "inglenook/app"
	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/documents"
	_ "inglenook/app/locale"
	"inglenook/app/texts"
	"inglenook/cli"
	"inglenook/documents/extract"
	"inglenook/regular"
	"inglenook/server/local"
	"inglenook/ui"
)

// applicationID is FyneApp.toml's, under which Fyne keeps its own things.
const applicationID = "io.github.inglenook"

func main() {
	if len(os.Args) > 1 && os.Args[1] == documents.ReaderArgument {
		os.Exit(documents.ServeReader(os.Args[2:], os.Stdin, os.Stdout))
	}
	os.Exit(run(context.Background(), os.Args[1:]))
}

// run opens the window, or runs a subcommand where the first argument is not a
// flag, and returns the exit code. Two subcommands are for the program itself: the
// processes that read files of others, and those that try a device.
func run(ctx context.Context, args []string) int {
	if len(args) > 0 && args[0] == extract.ChildArgument { // before anything is opened
		return extract.Serve(args[1:], os.Stdin, os.Stdout)
	}
	if len(args) > 0 && args[0] == devices.TrialArgument {
		return devices.ServeTrial(args[1:], os.Stderr)
	}
	streams := cli.IO{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		return cli.Run(ctx, args, streams, func(o inglenook.Options) (cli.App, error) {
			o.Apart = true
			return inglenook.New(o)
		})
	}
	o, err := parseWindowFlags(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return cli.PrintUsage(streams)
	case err != nil:
		return cli.Fail(streams, cli.WrongUsage("%s", strings.ReplaceAll(err.Error(), ": -", ": --")))
	}
	ctx, stop := signal.NotifyContext(ctx, cli.EndSignals()...)
	defer stop()
	return cli.Fail(streams, window(ctx, o, args))
}

// windowFlags are the flags without a subcommand.
type windowFlags struct {
	model    string
	snapshot string
	threads  int
	verbose  bool
}

// maxModelName is how long a path may be, in bytes.
const maxModelName = 4096

func parseWindowFlags(args []string) (o windowFlags, err error) {
	f := flag.NewFlagSet("inglenook", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.model, "model", "", "")
	f.StringVar(&o.snapshot, "snapshot", "", "")
	f.IntVar(&o.threads, "threads", 0, "")
	f.BoolVar(&o.verbose, "verbose", false, "")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q does not fit here; the window takes --model, --threads, --verbose and --snapshot", f.Arg(0))
	}
	if len(o.model) > maxModelName {
		return o, fmt.Errorf("--model has %d characters; give the name or the path of a model, which has at most %d", len(o.model), maxModelName)
	}
	if o.threads < 0 || o.threads > 1024 {
		return o, fmt.Errorf("--threads is %d; give a number from 1 to 1024, or 0 for the physical cores", o.threads)
	}
	return o, nil
}

// window opens the window, or draws it into pictures.
func window(ctx context.Context, o windowFlags, args []string) (err error) {
	if o.snapshot == "" && !hasDisplay() {
		return errors.New("there is no display here, so no window can open; try inglenook demo in this terminal, or inglenook --snapshot FOLDER for pictures of the window")
	}
	a, err := inglenook.New(inglenook.Options{Threads: o.threads, Verbose: o.verbose, Stderr: os.Stderr, Apart: true})
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		err = errors.Join(err, a.Close(closing))
	}()
	outside := keepToolkit(a.Paths(), a.Log())
	answers := local.New(a)
	defer answers.Stop()
	if o.snapshot != "" {
		return ui.Snapshot(a, kept(a, answers), o.snapshot, ui.Options{Model: o.model})
	}
	focus := make(chan string, 8)
	first, err := a.Claim([]string{absolute(o.model)}, func(args []string) {
		select {
		case focus <- strings.Join(args, ""):
		default: // the window is busy with eight others
		}
	})
	if err != nil || !first {
		return err
	}
	icon := fyne.NewStaticResource("icon.png", texts.Icon())
	app.SetMetadata(fyne.AppMetadata{
		ID: applicationID, Name: "Inglenook", Version: base.Version().Version, Icon: icon,
		Migrations: map[string]bool{"fyneDo": true}, // as FyneApp.toml says: all drawing runs on Fyne's own goroutine
	})
	fyneApp := app.NewWithID(applicationID)
	fyneApp.SetIcon(icon)
	kit := toolkit{fyneApp, outside}
	defer context.AfterFunc(ctx, func() { fyne.Do(kit.Quit) })()
	if err := a.UseKeptStore(ctx); err != nil {
		a.Log().Warn("store", "error", err)
	}
	return ui.Run(kit, a, kept(a, answers), ui.Options{Model: o.model, Focus: focus})
}

// kept is what a person keeps, for the panels.
func kept(a *inglenook.App, answers *local.Server) ui.Stores {
	return ui.Stores{Chats: a.Chat(), Documents: a.Documents(), Server: answers}
}

// absolute makes a path of this process's folder good in another one; a name
// that is no path here stays as it is.
func absolute(model string) string {
	if _, err := regular.Stat(context.Background(), model); model == "" || err != nil {
		return model
	}
	path, err := filepath.Abs(model)
	if err != nil {
		return model
	}
	return path
}

// hasDisplay reports whether a window could open; where the system has but one
// kind of display it is taken to be there.
func hasDisplay() bool {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return true
	}
	return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
