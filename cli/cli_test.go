package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/app/base"
	"inglenook/app/texts"
)

func TestUsageErrors(t *testing.T) {
	cases := []struct {
		line string // the arguments, separated by |
		want string
	}{
		{"nonsense", `there is no command "nonsense"; the commands are devices, models`},
		{"--json", `there is no command "--json"`},
		{"embed|--nope|x", "there is no flag --nope here; the flags are --batch-tokens"},
		{"embed|x|--nope", "there is no flag --nope"},
		{"embed|--device|tpu|x", `--device cannot be "tpu" in this version; give auto or cpu or metal`},
		{"embed|--device||x", `--device cannot be ""`},
		{"embed|--kv|q8_0|x", "there is no flag --kv"},
		{"embed|--kv|f16|x", "there is no flag --kv"},
		{"embed|--pooling|sideways|x", `--pooling cannot be "sideways"`},
		{"embed|--threads|-2|x", "--threads is -2; give a number from 1 to 1024"},
		{"embed|--threads|many|x", `invalid value "many" for --threads`},
		{"embed|--threads", "--threads needs a value"},
		{"embed|--batch-tokens|-1|x", "--batch-tokens is -1"},
		{"embed|--image|x.png|a text", "--image goes neither with texts"},
		{"embed|--image|x.png|--pooling|cls", "--image goes neither with texts"},
		{"embed|--json=perhaps|x", "invalid boolean value"},
		{"devices|extra", `"extra" is one argument too many`},
		{"version|extra", `"extra" is one argument too many`},
		{"demo|extra", `"extra" is one argument too many`},
		{"rerank|x", "--query is missing"},
		{"rerank|--query| |x", "--query is missing"},
		{"rerank|--query|q|--pooling|max|x", `--pooling cannot be "max"`},
		{"rerank|--query|q|--form|gpt|x", `--form cannot be "gpt"`},
		{"forward", "--ids is missing"},
		{"forward|--ids|1,x", `"x" in --ids is not a token id`},
		{"forward|--ids|1,-2", `"-2" in --ids is not a token id`},
		{"forward|--ids|1,,2", `"" in --ids is not a token id`},
		{"forward|--ids|99999999999", "is not a token id"},
		{"forward|--ids|1|--type-ids|a", `"a" in --type-ids`},
		{"forward|--ids|1|--decoder-ids|0,b", `"b" in --decoder-ids`},
		{"forward|--ids|1|--output|tokens", `--output cannot be "tokens"`},
		{"forward|--ids|1|--image|x.png", "--image and token ids do not go together"},
		{"forward|--ids|1|stray", "one argument too many"},
		{"tokenize|--decode|1,2|text", "give one of the two"},
		{"tokenize|--decode|a", "is not a token id"},
		{"tokenize|two|texts", "put a text with spaces in quotes"},
		{"bench|--devices|cpu,tpu", `--devices cannot hold "tpu"`},
		{"bench|--devices|auto", `--devices cannot hold "auto"`},
		{"bench|--repeat|0", "nothing to measure"},
		{"bench|--sequences|0", "--sequences is 0"},
		{"bench|--sequences|33", "--sequences is 33"},
		{"serve|--parallel|0", "--parallel is 0"},
		{"bench|--depth|-1", "nothing to measure"},
		{"bench|--weights|f8", `--weights cannot be "f8"`},
		{"compat", "MODEL is missing"},
		{"compat|a|b", `"b" is one argument too many`},
		{"compat|a|b|--matrix|--kv|q8_0", "leave --weights, --kv and --context out"},
		{"compat|a|--context|-1", "--context is -1"},
		{"compat|a|--device|cpu", "there is no flag --device"},
		{"chat|--model|", "--model is empty"},
		{"chat|--model|m|--prompt|", "--prompt is empty"},
		{"chat|--model|m|--prompt|  ", "--prompt is empty"},
		{"chat|--model|m|--prompt|\n\u200b", "--prompt is empty"},
		{"search|\t\u200b", "QUERY is missing"},
		{"rerank|--model|m|--query|\u00a0\u200b|a", "--query is missing"},
		{"chat|--model|m|--raw", "--raw continues a prompt"},
		{"chat|--model|m|--raw|--prompt|x|--system|y", "--raw sends the prompt alone"},
		{"chat|--model|m|--json", "--json prints one answer"},
		{"chat|--model|m|--max-tokens|-1", "--max-tokens is -1"},
		{"chat|--model|m|--context|-1", "--context is -1"},
		{"chat|--model|m|--kv|q4", `--kv cannot be "q4"`},
		{"chat|--model|m|--format|xml", `--format cannot be "xml"`},
		{"chat|--model|m|--format|text|--json-schema|s", "leave --format out"},
		{"chat|--model|m|--logit-bias|a=1", `"a=1" in --logit-bias does not fit`},
		{"chat|--model|m|--logit-bias|1=", `"1=" in --logit-bias does not fit`},
		{"chat|--model|m|--logit-bias|5", `"5" in --logit-bias does not fit`},
		{"chat|--model|m|--temperature|hot", `invalid value "hot" for --temperature`},
		{"chat|--model|m|--seed|-1", "for --seed"},
		{"chat|--model|m|stray", "one argument too many"},
		{"bench|--texts|-5", "nothing to measure"},
		{"models", "say what to do"},
		{"models|steal|x", `"steal x" does not fit`},
		{"models|import", "models import needs the path"},
		{"models|list|x", "does not fit"},
		{"search", "QUERY is missing"},
		{"search| ", "QUERY is missing"},
		{"search|--top|0|x", "--top is 0"},
		{"search|--mode|fuzzy|x", `--mode cannot be "fuzzy"`},
		{"search|--since|yesterday|x", `--since is "yesterday"; give a date`},
		{"index|x|--password|secret", "give FILE=PASSWORD"},
		{"index|x|--store|mysql://x", "--store is no address of a database"},
		{"tokens", "say what to do"},
		{"tokens|add", "needs a name"},
		{"tokens|remove", "needs a name"},
		{"tokens|rename|x", "does not fit"},
		{"collections", "say what to do"},
		{"collections|remove", "needs the name"},
		{"collections|shift|x", "does not fit"},
		{"collections|move|x", "--store with the database"},
	}
	for _, c := range cases {
		opened := false
		o := runWith(t, context.Background(), strings.NewReader(""), func(app.Options) (App, error) {
			opened = true
			return nil, errors.New("opened")
		}, strings.Split(c.line, "|")...)
		if o.code != 2 || o.stdout != "" || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, c.want) || opened {
			t.Errorf("%s: code %d, opened %v, output %q, error output %q; want %q", c.line, o.code, opened, o.stdout, o.stderr, c.want)
		}
	}
}

func TestFailuresAreOneLine(t *testing.T) {
	dir := t.TempDir()
	pickle := filepath.Join(dir, "pytorch_model.bin")
	if err := os.WriteFile(pickle, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		line  string
		stdin string
		want  string
	}{
		{"embed|--model|" + dir + "|x", "", "there is no config.json"},
		{"embed|--model|" + pickle + "|x", "", "can run code"},
		{"embed|--model|org/name|x", "", "is not in the Hub cache"},
		{"embed|--model|../../etc/passwd|x", "", "there is no file or folder"},
		{"embed|--model|a b|x", "", "neither a file or folder here nor the name of a model"},
		{"tokenize|--decode|2147483647", "", "2147483647"},
		{"forward|--ids|1,2|--type-ids|0", "", "give one for each"},
		{"forward|--ids|1,2|--decoder-ids|0", "", "no text-to-text model"},
		{"forward|--ids|2000000000", "", "2000000000"},
		{"forward|--ids|1|--output|logits", "", "logits"},
		{"models|import|" + dir, "", "get the model as safetensors or GGUF"},
		{"embed|--device|cuda|x", "", "the device cuda cannot be used: "},
		{"rerank|--device|cuda|--query|q|x", "", "use auto or cpu"},
		{"bench|--devices|cpu,cuda|--texts|1|--repeat|1", "", "the device cuda cannot be used"},
		{"models|import|" + dir + "/none", "", "there is no file or folder"},
	}
	_, err := os.Stat("/dev/nvidiactl")
	for _, c := range cases {
		if err == nil && strings.Contains(c.want, "the device cuda cannot be used") {
			continue // this machine has a card
		}
		o := inglenook(t, c.stdin, strings.Split(c.line, "|")...)
		if o.code != 1 || o.stdout != "" || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%s: code %d, output %q, error output %q; want %q", c.line, o.code, o.stdout, o.stderr, c.want)
		}
	}
}

func TestHelp(t *testing.T) {
	all := inglenook(t, "").ok(t).stdout
	for _, c := range commands() {
		if !strings.Contains(all, "\n  "+c.name+" ") {
			t.Errorf("the usage lacks %s", c.name)
		}
		for _, help := range []string{"--help", "-h"} {
			if o := inglenook(t, "", c.name, help).ok(t); !strings.Contains(o.stdout, "--json") || !strings.Contains(o.stdout, "inglenook "+c.name) {
				t.Errorf("%s %s: %q", c.name, help, o.stdout)
			}
		}
	}
}

func TestFlagsStandAnywhere(t *testing.T) {
	for line, want := range map[string][]string{
		"a|b|--json":                   {"a", "b"},
		"--json|a|b":                   {"a", "b"},
		"a|--json|b":                   {"a", "b"},
		"a|--model|m|--json|--|--b|-c": {"a", "--b", "-c"},
		"--json|--":                    nil,
		"--|--json|--json":             nil,
		"-|--json":                     {"-"},
	} {
		f := newFlags(command{name: "x"})
		f.withModel()
		rest, err := f.parse(strings.Split(line, "|"))
		if line == "--|--json|--json" {
			want = []string{"--json", "--json"}
			f.json = true
		}
		if err != nil || !f.json || !slices.Equal(rest, want) {
			t.Errorf("%s: %q, json %v, error %v; want %q", line, rest, f.json, err, want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	d := &double{embed: func(ctx context.Context, _ texts.EmbedRequest) (texts.EmbedResult, error) {
		cancel()
		<-ctx.Done()
		return texts.EmbedResult{}, ctx.Err()
	}}
	o := runWith(t, ctx, nil, func(app.Options) (App, error) { return d, nil }, "embed", "x")
	if o.code != 130 || o.stdout != "" || o.stderr != "inglenook: interrupted\n" || !d.closed {
		t.Errorf("code %d, closed %v, output %q, error output %q", o.code, d.closed, o.stdout, o.stderr)
	}
}

func TestErrorsAreRedactedAndFlat(t *testing.T) {
	d := &double{
		notices: []string{"The disk is full."},
		embed: func(context.Context, texts.EmbedRequest) (texts.EmbedResult, error) {
			return texts.EmbedResult{}, errors.New("first\n  second with hf_PLANTEDplanted123")
		},
	}
	o := runWith(t, context.Background(), nil, func(app.Options) (App, error) { return d, nil }, "embed", "x")
	if want := "note: The disk is full.\ninglenook embed: first; second with [redacted]\n"; o.code != 1 || o.stderr != want {
		t.Errorf("code %d, error output %q, want %q", o.code, o.stderr, want)
	}
	o = runWith(t, context.Background(), nil, func(app.Options) (App, error) { return nil, errors.New("no app") }, "embed", "x")
	if o.code != 1 || o.stderr != "inglenook embed: no app\n" {
		t.Errorf("code %d, error output %q", o.code, o.stderr)
	}
}

func TestOptionsReachTheApp(t *testing.T) {
	var got app.Options
	var request texts.EmbedRequest
	d := &double{embed: func(_ context.Context, r texts.EmbedRequest) (texts.EmbedResult, error) {
		request = r
		return texts.EmbedResult{}, nil
	}}
	runWith(t, context.Background(), nil, func(o app.Options) (App, error) {
		got = o
		return d, nil
	}, "embed", "--threads", "7", "--verbose", "--device", "cpu", "--model", "m", "--prefix", "p: ", "--pooling", "cls", "--no-normalize", "--batch-tokens", "99", "x").ok(t)
	if got.Threads != 7 || !got.Verbose || got.Stderr == nil {
		t.Errorf("options %+v", got)
	}
	if r := request; r.Model != "m" || r.Device != "cpu" || r.Prefix != "p: " || !slices.Equal(r.Pooling, []string{"cls"}) || !r.NoNormalize || r.BatchTokens != 99 || !slices.Equal(r.Texts, []string{"x"}) {
		t.Errorf("request %+v", r)
	}
}

// failing is an output that accepts nothing, like a full disk.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatCannotBeWritten(t *testing.T) {
	var diagnostics strings.Builder
	for _, args := range [][]string{{"tokenize", "x"}, {"tokenize", "--json", strings.Repeat("word ", 5000)}, {"devices"}} {
		diagnostics.Reset()
		code := Run(context.Background(), args, IO{Stdin: strings.NewReader(""), Stdout: failing{}, Stderr: &diagnostics}, func(o app.Options) (App, error) {
			o.Home = t.TempDir()
			return app.New(o)
		})
		if code != 1 || !strings.Contains(diagnostics.String(), "could not be written: no space left on device") {
			t.Errorf("%.20q: code %d, error output %q", args, code, &diagnostics)
		}
	}
}

// TestHelpThatCannotBeWritten asks for help in each way, with an output that fails.
func TestHelpThatCannotBeWritten(t *testing.T) {
	lines := [][]string{{}, {"help"}}
	for _, c := range commands() {
		lines = append(lines, []string{c.name, "--help"})
	}
	for _, args := range lines {
		var diagnostics strings.Builder
		code := Run(context.Background(), args, IO{Stdin: strings.NewReader(""), Stdout: failing{}, Stderr: &diagnostics}, nil)
		if code != 1 || !strings.Contains(diagnostics.String(), "could not be written: no space left on device") {
			t.Errorf("%q: code %d, error output %q", args, code, &diagnostics)
		}
	}
}

// TestNothingToWorkOn runs each command that reads texts with none of them, or too few.
func TestNothingToWorkOn(t *testing.T) {
	for line, want := range map[string]string{
		"embed":            "there is no text",
		"rerank|--query|q": "there is no text",
		"similarity":       "there is no text",
		"classify":         "there is no text",
		"similarity|alone": "give at least two texts",
		"tokenize":         "there is no text to tokenize",
		"tokenize|":        "there is no text to tokenize",
	} {
		if o := inglenook(t, "", strings.Split(line, "|")...); o.code != 2 || o.stdout != "" || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: code %d, output %q, error output %q; want %q", line, o.code, o.stdout, o.stderr, want)
		}
	}
}

func TestReadLines(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	for in, want := range map[string][]string{
		"": nil, "\n": {""}, "a": {"a"}, "a\n": {"a"}, "a\r\nb\n\nc": {"a", "b", "", "c"}, long + "\nb": {long, "b"}, " a ": {" a "},
	} {
		if got, err := readLines(strings.NewReader(in)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%.20q: %.40q, error %v", in, got, err)
		}
	}
	broken := io.MultiReader(strings.NewReader("a\nb"), errorReader{})
	if _, err := readLines(broken); err == nil || !strings.Contains(err.Error(), "standard input cannot be read") {
		t.Errorf("error %v", err)
	}
}

type errorReader struct{}

func (errorReader) Read([]byte) (int, error) { return 0, errors.New("it broke") }

func TestIsTerminal(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, v := range []any{null, file, strings.NewReader(""), nil} {
		if isTerminal(v) {
			t.Errorf("%T is no terminal", v)
		}
	}
	o := runWith(t, context.Background(), null, func(o app.Options) (App, error) {
		o.Home = t.TempDir()
		return app.New(o)
	}, "embed")
	if o.code != 2 || !strings.Contains(o.stderr, "there is no text") {
		t.Errorf("code %d, error output %q", o.code, o.stderr)
	}
}

func TestProgressLine(t *testing.T) {
	for want, p := range map[string]base.Progress{
		"loading: 1.0 MB of 2.1 MB, 3s left": {Stage: "loading", Done: 1 << 20, Total: 2 << 20, Unit: "bytes", Left: 3_100_000_000},
		"embedding: 1,200 of 9,000 texts":    {Stage: "embedding", Done: 1200, Total: 9000, Unit: "texts"},
	} {
		if got := progressLine(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var out strings.Builder
	b := newBar(&out) // no terminal
	b.report(base.Progress{})
	b.clear()
	if out.Len() > 0 {
		t.Errorf("drew %q where there is no terminal", out.String())
	}
	for _, server := range []string{"lab", "", "lab"} { // of which one is awaited anew
		for s := range int64(80) {
			b.report(base.Progress{Stage: base.StageServer, Server: server, Done: s})
		}
	}
	if got, want := out.String(), strings.Repeat("waiting for lab (10 s)\nwaiting for lab (70 s)\n", 2); got != want {
		t.Errorf("said %q where there is no terminal", got)
	}
	out.Reset()
	b.w, b.lines = &out, nil
	b.start = b.start.Add(-barAfter)
	b.report(base.Progress{Stage: "loading", Total: 9})
	b.report(base.Progress{Stage: "loading", Done: 9, Total: 9}) // too soon
	b.clear()
	if got := out.String(); strings.Count(got, "loading") != 1 || !strings.HasSuffix(got, "\r") {
		t.Errorf("drew %q", got)
	}
}

// TestNotes: the help of commands that turn texts into numbers says how they treat long texts
// and control tokens.
func TestNotes(t *testing.T) {
	for name, want := range map[string]string{"rerank": "scores as its best part does", "embed": "is cut there"} {
		o := inglenook(t, "", name, "--help")
		for _, part := range []string{want, "A control token in a text"} {
			if !strings.Contains(o.stdout+o.stderr, part) {
				t.Errorf("%s --help lacks %q", name, part)
			}
		}
	}
}

// Numbers of parameters are rounded, not cut.
func TestParameters(t *testing.T) {
	for n, want := range map[int64]string{1881825088: "1.9 B parameters", 752393024: "752.4 M parameters", 1234: "1234 parameters"} {
		if got := parameters(n); got != want {
			t.Errorf("%d is written %q, want %q", n, got, want)
		}
	}
}
