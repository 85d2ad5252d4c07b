package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	talks "inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/library"
)

const modelForms = library.StarterEmbed + " (bundled), a Hub id that lies in the Hub cache, a folder with config.json and weights, a .safetensors or .gguf file, or NAME/MODEL of a server that was added"

// flags are the flags of one subcommand. Those that every subcommand has are
// fields; model and device flags are there where a model is.
type flags struct {
	*flag.FlagSet
	command  command
	threads  int
	json     bool
	verbose  bool
	offline  bool
	model    string
	device   string
	store    string
	checkers []func(args []string) error
}

func newFlags(c command) *flags {
	f := &flags{FlagSet: flag.NewFlagSet(c.name, flag.ContinueOnError), command: c}
	f.SetOutput(io.Discard)
	f.BoolVar(&f.json, "json", false, "print the result as JSON")
	f.BoolVar(&f.verbose, "verbose", false, "log to standard error what runs where, each fallback with its reason")
	f.BoolVar(&f.offline, "offline", false, "forbid every connection")
	f.IntVar(&f.threads, "threads", 0, "`N` CPU threads; 0: what the settings say, else the physical cores")
	f.require(func([]string) error {
		if f.threads < 0 || f.threads > 1024 {
			return fmt.Errorf("--threads is %d; give a number from 1 to 1024, or 0 for the physical cores", f.threads)
		}
		return nil
	})
	return f
}

// withModel declares --model and --device.
func (f *flags) withModel() {
	f.StringVar(&f.model, "model", library.StarterEmbed, "`MODEL`: "+modelForms)
	f.withDevice()
}

// withDevice declares --device.
func (f *flags) withDevice() {
	f.oneOf(&f.device, "device", "auto", devices.DeviceIDs(), "compute on `DEVICE`; auto is the best one for the model")
}

// oneOf declares a flag that takes one of a few values.
func (f *flags) oneOf(value *string, name, standard string, allowed []string, usage string) {
	f.StringVar(value, name, standard, usage+": "+strings.Join(allowed, ", "))
	f.require(func([]string) error {
		if *value != standard && !slices.Contains(allowed, *value) {
			return fmt.Errorf("--%s cannot be %q in this version; give %s", name, *value, strings.Join(allowed, " or "))
		}
		return nil
	})
}

// withWeights declares --weights.
func (f *flags) withWeights(value *string) {
	f.oneOf(value, "weights", devices.WeightTypes()[0], devices.WeightTypes(), "hold weights as `TYPE`, as in the file (auto) or quantized while loading")
}

// withTask declares --task.
func (f *flags) withTask(value *string) {
	f.StringVar(value, "task", "", "embed for the `TASK`, such as "+library.TaskQuestions+", of a model that has weights for several, as jina-embeddings-v3; without this flag for its usual one")
}

// withDraft declares --draft. when begins its description.
func (f *flags) withDraft(value *string, when string) {
	f.StringVar(value, "draft", talks.DraftOff,
		when+"guess what comes next, and check several guesses in one pass, which changes nothing but the speed. `WAY` is lookup (from what was said before), mtp (with a head that the checkpoint has for that, in its own file or in mtp-*.gguf beside it), model=NAME (with a smaller model of the same family, by id or path), auto (by lookup, and with that head, or else a smaller model if one is installed, where that is faster and gives the same numbers bit for bit: on the processor, in the first 1,000 tokens) or off")
	f.require(func([]string) error {
		if _, _, err := talks.ParseDraft(*value); err != nil {
			return fmt.Errorf("--draft: %w", err)
		}
		return nil
	})
}

// withHold declares --weights, --kv and --context.
func (f *flags) withHold(h *devices.Hold) {
	f.withWeights(&h.Weights)
	f.oneOf(&h.KV, "kv", devices.CacheTypes()[0], devices.CacheTypes(), "hold keys and values as `TYPE`")
	f.IntVar(&h.Context, "context", 0, "set the context to `N` tokens; 0: the model's limit or 4096, whichever is less")
	f.require(func([]string) error {
		if h.Context < 0 {
			return fmt.Errorf("--context is %d; give the number of tokens, or 0 for what suits the model", h.Context)
		}
		if h.Context == 1 {
			return errors.New("--context is 1, which has no room for a question and an answer; give a larger one, or 0 for what suits the model")
		}
		return nil
	})
}

// require adds a check that runs after parsing.
func (f *flags) require(c func(args []string) error) { f.checkers = append(f.checkers, c) }

func (f *flags) check(args []string) error {
	for _, c := range f.checkers {
		if err := c(args); err != nil {
			return err
		}
	}
	return nil
}

// withStore declares --store.
func (f *flags) withStore() {
	f.StringVar(&f.store, "store", "", "use the collections of the PostgreSQL database at `ADDRESS` with pgvector, such as postgres://USER@HOST/DATABASE, and not those of this computer; the password comes from PGPASSWORD or the password file")
	f.require(func([]string) error {
		if f.store != "" && !strings.HasPrefix(f.store, "postgres://") && !strings.HasPrefix(f.store, "postgresql://") {
			return errors.New("--store is no address of a database; give it as postgres://USER@HOST/DATABASE")
		}
		return nil
	})
}

// useStore has a call work with the collections that --store names.
func (f *flags) useStore(c *call) error {
	if f.store == "" {
		return nil
	}
	return c.Documents().UseDatabase(f.store)
}

// noArgs refuses arguments that are not flags.
func (f *flags) noArgs() {
	f.require(func(args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("%q is one argument too many", args[0])
		}
		return nil
	})
}

// parse accepts flags before, between and after the other arguments, which it returns. After
// -- there are no flags.
func (f *flags) parse(args []string) ([]string, error) {
	var rest []string
	for {
		if err := f.Parse(args); err != nil {
			return nil, f.plain(err)
		}
		left := f.Args()
		used := len(args) - len(left)
		if len(left) == 0 {
			return rest, nil
		}
		if used > 0 && args[used-1] == "--" {
			return append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// plain puts the flag package's messages into our words.
func (f *flags) plain(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return fmt.Errorf("there is no flag --%s here; the flags are %s (put -- before a text that begins with a dash)", strings.TrimPrefix(name, "-"), strings.Join(f.flagNames(), " "))
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return fmt.Errorf("--%s needs a value", name)
	}
	return errors.New(strings.NewReplacer("for flag -", "for --", "for -", "for --", ": parse error", ", which it does not take").Replace(text))
}

func (f *flags) flagNames() (list []string) {
	f.VisitAll(func(x *flag.Flag) { list = append(list, "--"+x.Name) })
	return list
}

func (f *flags) usage() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n  inglenook %s [flags] %s\n\nFlags\n", f.command.about, f.command.name, f.command.args)
	f.VisitAll(func(x *flag.Flag) {
		value, about := flag.UnquoteUsage(x)
		standard := ""
		if x.DefValue != "" && x.DefValue != "false" && x.DefValue != "0" {
			standard = " (default " + x.DefValue + ")"
		}
		fmt.Fprintf(&b, "  --%-22s %s%s\n", strings.TrimSpace(x.Name+" "+value), about, standard)
	})
	if f.command.notes != "" {
		fmt.Fprintf(&b, "\n%s\n", f.command.notes)
	}
	if len(f.command.examples) > 0 {
		b.WriteString("\nExamples\n")
	}
	for _, e := range f.command.examples {
		fmt.Fprintf(&b, "  %s\n", e)
	}
	return b.String()
}
