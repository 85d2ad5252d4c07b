package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"inglenook/app"
	"inglenook/app/base"
	"inglenook/app/texts"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// outcome is the result of a run of the program.
type outcome struct {
	code           int
	stdout, stderr string
}

// inglenook runs one subcommand in this process, with its own data folders.
func inglenook(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	return runWith(t, context.Background(), strings.NewReader(stdin), func(o app.Options) (App, error) {
		o.Home = t.TempDir()
		return app.New(o)
	}, args...)
}

// inOneApp returns a function that runs commands in one application. It measures once what
// predictions need, for which each new one takes a second.
func inOneApp(t *testing.T) func(args ...string) outcome {
	t.Helper()
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	a, err := app.New(app.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(context.Background()) })
	return func(args ...string) outcome {
		t.Helper()
		return runWith(t, context.Background(), strings.NewReader(""), func(app.Options) (App, error) { return lasting{a}, nil }, args...)
	}
}

// lasting is an application that its commands leave open.
type lasting struct{ App }

func (lasting) Close(context.Context) error { return nil }

func runWith(t *testing.T, ctx context.Context, stdin io.Reader, newApp func(app.Options) (App, error), args ...string) outcome {
	t.Helper()
	var out, diagnostics bytes.Buffer
	code := Run(ctx, args, IO{Stdin: stdin, Stdout: &out, Stderr: &diagnostics}, newApp)
	return outcome{code, out.String(), diagnostics.String()}
}

// ok fails the test unless a run succeeded without any error output.
func (o outcome) ok(t *testing.T) outcome {
	t.Helper()
	if o.code != 0 || o.stderr != "" {
		t.Fatalf("code %d, error output %q, output %.200q", o.code, o.stderr, o.stdout)
	}
	return o
}

// double is an App of which a test sets the parts that it needs. Every other part is nil and
// panics.
type double struct {
	App
	embed   func(ctx context.Context, r texts.EmbedRequest) (texts.EmbedResult, error)
	notices []string
	closed  bool
}

func (d *double) Embed(ctx context.Context, r texts.EmbedRequest, _ func(base.Progress)) (texts.EmbedResult, error) {
	return d.embed(ctx, r)
}
func (d *double) Notices() []string { return d.notices }
func (d *double) Close(context.Context) error {
	d.closed = true
	return nil
}
