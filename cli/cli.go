// Package cli is Inglenook without a window: one file a subcommand. Results
// go to standard output, everything else to standard error. The exit codes are
// 0 for success, 1 for an operation that failed, 2 for wrong usage and 130 for
// an interruption. A server that SIGTERM stops has done its work: 0.
//
// It computes nothing: it asks an [App] and prints what it says.
package cli

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"inglenook/app"
	"inglenook/app/base"
	talks "inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/documents"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/app/pool"
	"inglenook/app/servers"
	"inglenook/app/texts"
	"inglenook/app/tokens"
)

// The exit codes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// App is what the subcommands ask for; *app.App is one.
type App interface {
	Devices() []devices.Device
	Device(id string) devices.Device
	Try(ctx context.Context, id string) (notices []string, err error)
	Models(ctx context.Context) ([]library.Model, error)
	About(ctx context.Context, m library.Model) (library.About, error)
	AddModels(ctx context.Context, path string) (added []library.Model, err error)
	ForgetModel(id string) error
	Resolve(ctx context.Context, name string) (library.Model, error)
	SearchHub(ctx context.Context, r downloads.SearchRequest) ([]downloads.Found, error)
	Preview(ctx context.Context, r downloads.PreviewRequest) (downloads.Preview, error)
	PullModel(ctx context.Context, r downloads.DownloadRequest, report func(downloads.Download)) (downloads.Pulled, error)
	CheckFiles(ctx context.Context, id string, report func(base.Progress)) ([]downloads.FileCheck, error)
	RepairModel(ctx context.Context, id string, report func(base.Progress)) (downloads.Verification, error)
	RemoveModel(id string) (downloads.Removed, error)
	DeleteRemoved(r downloads.Removed) (int64, error)
	Embed(ctx context.Context, r texts.EmbedRequest, report func(base.Progress)) (texts.EmbedResult, error)
	EmbedPictures(ctx context.Context, r texts.EmbedRequest, report func(base.Progress)) (texts.EmbedResult, error)
	Similarity(ctx context.Context, r texts.SimilarityRequest, report func(base.Progress)) (texts.SimilarityResult, error)
	Rerank(ctx context.Context, r texts.RerankRequest, report func(base.Progress)) (texts.RerankResult, error)
	Classify(ctx context.Context, r texts.ClassifyRequest, report func(base.Progress)) (texts.ClassifyResult, error)
	Forward(ctx context.Context, r texts.ForwardRequest, report func(base.Progress)) (texts.ForwardResult, error)
	Tokenize(ctx context.Context, r texts.TokenizeRequest) (texts.TokenizeResult, error)
	Detokenize(ctx context.Context, model string, ids []int32, noSpecial bool) (string, error)
	RenderChat(ctx context.Context, r texts.ChatRequest) (texts.ChatResult, error)
	OpenChat(ctx context.Context, o pool.WriterOptions, report func(base.Progress)) (*talks.Writer, error)
	OpenModels() []pool.OpenModel
	CloseModel(id string) (freed int64, err error)
	Measure(ctx context.Context, r measure.Request, report func(measure.Step)) (measure.Result, error)
	KeepPredictions(p measure.Result)
	Compat(ctx context.Context, r fit.CompatRequest) (fit.Compat, error)
	SupportMatrix(ctx context.Context, folders []string) (fit.Matrix, error)
	Documents() *documents.Service
	Chat() *talks.Service
	Engines() *servers.Service
	Tokens() *tokens.Store
	Notices() []string
	Close(ctx context.Context) error
}

// IO is where a subcommand reads and writes.
type IO struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
}

// command is one subcommand. Its setup declares flags and returns the action
// that runs after they are parsed.
type command struct {
	name  string
	args  string // after the flags, for the usage line
	about string // one line
	notes string // what else its help says; empty: nothing
	// examples are whole command lines for the help.
	examples []string
	setup    func(f *flags) action
	// ownInterrupts is set where Ctrl-C does not always end the command.
	ownInterrupts bool
	// service is set where the command works until it is told to stop, so that SIGTERM is a success.
	service bool
}

// action does the work of a subcommand.
type action func(ctx context.Context, c *call) error

// call is what an action works with.
type call struct {
	App
	out      *bufio.Writer // standard output
	stdin    io.Reader
	stderr   io.Writer
	args     []string // without flags
	json     bool
	terminal bool // out is one
	progress func(base.Progress)
	show     func(line string) // as progress
	clearBar func()
}

func commands() []command {
	return []command{
		devicesCommand(), modelsCommand(), compatCommand(), embedCommand(), similarityCommand(), rerankCommand(), classifyCommand(),
		indexCommand(), searchCommand(), collectionsCommand(), chatCommand(), forwardCommand(), tokenizeCommand(), benchCommand(), serveCommand(), serversCommand(), tokensCommand(), demoCommand(), versionCommand(),
	}
}

// usageError is a mistake in the arguments.
type usageError struct{ error }

// Run runs the subcommand args[0] with the arguments after it and returns the
// exit code. It ends early with ctx, at Ctrl-C, or when the system asks. newApp
// is called only when the arguments are in order.
func Run(ctx context.Context, args []string, s IO, newApp func(app.Options) (App, error)) int {
	if len(args) > 1 && args[0] == "help" && !strings.HasPrefix(args[1], "-") {
		args = []string{args[1], "--help"}
	}
	if len(args) == 0 || args[0] == "help" {
		return PrintUsage(s)
	}
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == args[0] })
	if i < 0 {
		return fail(s.Stderr, "", WrongUsage("there is no command %q; the commands are %s", args[0], strings.Join(names(all), ", ")))
	}
	return all[i].run(ctx, args[1:], s, newApp)
}

func (c command) run(ctx context.Context, args []string, s IO, newApp func(app.Options) (App, error)) int {
	f := newFlags(c)
	act := c.setup(f)
	rest, err := f.parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return s.print(c.name, f.usage())
	}
	if err == nil {
		err = f.check(rest)
	}
	if err != nil {
		return fail(s.Stderr, c.name, usageError{err})
	}
	a, err := newApp(app.Options{Threads: f.threads, Verbose: f.verbose, Offline: f.offline, Stderr: s.Stderr})
	if err != nil {
		return fail(s.Stderr, c.name, err)
	}
	for _, n := range a.Notices() {
		fmt.Fprintln(s.Stderr, "note: "+inLine(n))
	}
	stdin := s.Stdin
	if !c.ownInterrupts {
		var stop func()
		ctx, stop = interruptible(ctx)
		defer stop()
		stdin = interruptibleReader{ctx, s.Stdin}
	}
	bar := newBar(s.Stderr)
	work := &call{
		App: a, out: bufio.NewWriter(s.Stdout), stdin: stdin, stderr: s.Stderr, terminal: isTerminal(s.Stdout),
		args: rest, json: f.json, progress: bar.report, show: bar.show, clearBar: bar.clear,
	}
	err = act(ctx, work)
	bar.clear()
	if flushed := work.out.Flush(); err == nil && flushed != nil {
		err = notWritten(flushed)
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if closed := a.Close(closing); err == nil {
		err = closed
	}
	if ctx.Err() != nil {
		if c.service && errors.Is(context.Cause(ctx), errTerminated) && (err == nil || errors.Is(err, context.Canceled)) {
			fmt.Fprintln(s.Stderr, "inglenook "+c.name+": stopped, as the system asked")
			return exitOK
		}
		err = ctx.Err()
	}
	return fail(s.Stderr, c.name, err)
}

// EndSignals are those that end the program: Ctrl-C, what the system sends, and the end of the terminal
// unless nohup has it ignored.
func EndSignals() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// errTerminated is why a context ended when the system asked to end.
var errTerminated = errors.New("the system asked to end")

// interruptible ends a context at Ctrl-C and when the system asks to end, which its cause tells apart.
func interruptible(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, EndSignals()...)
	go func() {
		select {
		case s := <-signals:
			if s != os.Interrupt {
				cancel(errTerminated)
			}
			cancel(nil)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// WrongUsage returns an error about the arguments.
func WrongUsage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Fail says what went wrong, if anything did, and returns the exit code.
func Fail(s IO, err error) int { return fail(s.Stderr, "", err) }

// fail prints what went wrong in one line and returns the exit code.
func fail(w io.Writer, command string, err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(w, "inglenook: interrupted")
		return exitInterrupted
	}
	name := strings.TrimSpace("inglenook " + command)
	line := oneLine(err)
	var usage usageError
	if errors.As(err, &usage) {
		help := "inglenook help"
		if command != "" {
			help = name + " --help"
		}
		fmt.Fprintf(w, "%s: %s; see %s\n", name, line, help)
		return exitUsage
	}
	fmt.Fprintf(w, "%s: %s\n", name, line)
	return exitFailed
}

// oneLine is an error without secrets in one line. What errors that come
// together say twice is said once.
func oneLine(err error) string {
	var said []string
	for part := range strings.SplitSeq(base.Redact(err.Error()), "\n") {
		part = strings.Join(strings.Fields(part), " ")
		if !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, part) }) {
			said = append(said, part)
		}
	}
	return inLine(strings.Join(said, "; "))
}

func names(all []command) []string {
	var list []string
	for _, c := range all {
		list = append(list, c.name)
	}
	return list
}

// PrintUsage lists the subcommands and returns the exit code.
func PrintUsage(s IO) int { return s.print("", usage()) }

// print writes a text for a command and returns the exit code.
func (s IO) print(command, text string) int {
	if _, err := io.WriteString(s.Stdout, text); err != nil {
		return fail(s.Stderr, command, notWritten(err))
	}
	return exitOK
}

func notWritten(err error) error {
	return fmt.Errorf("the result could not be written: %w; free some space or write elsewhere", err)
}

// usage lists the subcommands.
func usage() string {
	var b strings.Builder
	b.WriteString("Inglenook computes with language models on this computer.\n\n" +
		"  inglenook [--model MODEL] [--threads N] [--verbose]    opens the window\n" +
		"  inglenook [--model MODEL] --snapshot FOLDER            draws it into pictures; needs no display\n" +
		"  inglenook COMMAND [--help]                             works in the terminal\n\nCommands\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-11s %s\n", c.name, c.about)
	}
	b.WriteString("\nMODEL is " + modelForms + ".\n" +
		"\nVariables: INGLENOOK_HOME is the folder for everything that is kept, INGLENOOK_SERVER_TOKEN the token of a server that is added,\n" +
		"INGLENOOK_BLAS a library (OpenBLAS, say) that multiplies matrices on the processor, or off.\n")
	return b.String()
}
