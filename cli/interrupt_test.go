package cli

import (
	"context"
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"inglenook/app"
)

// TestSignalsWhileStdinIsRead sends each signal to each command that reads
// standard input, while nothing comes through the pipe.
func TestSignalsWhileStdinIsRead(t *testing.T) { signalsWhileStdinIsRead(t) }

func signalsWhileStdinIsRead(t *testing.T) {
	for _, args := range [][]string{
		{"embed"}, {"rerank", "--query", "q"}, {"similarity"}, {"tokenize"}, {"tokenize", "--chat-template"}, {"chat"},
	} {
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			read, write := io.Pipe()
			asked := make(chan struct{})
			code := make(chan outcome, 1)
			go func() {
				code <- runWith(t, context.Background(), &announcing{read, asked}, func(o app.Options) (App, error) {
					o.Home = t.TempDir()
					return app.New(o)
				}, args...)
			}()
			select {
			case <-asked:
			case got := <-code:
				t.Errorf("%q does not read standard input: code %d, %s", args, got.code, got.stderr)
				write.Close()
				continue
			}
			if err := syscall.Kill(os.Getpid(), signal); err != nil {
				t.Fatal(err)
			}
			select {
			case got := <-code:
				if got.code != exitInterrupted || got.stdout != "" {
					t.Errorf("%q at %v: code %d, output %q, error output %q", args, signal, got.code, got.stdout, got.stderr)
				}
			case <-time.After(20 * time.Second):
				t.Errorf("%q does not end at %v", args, signal)
			}
			write.Close()
		}
	}
}

// announcing is a reader that reports when it is read.
type announcing struct {
	io.Reader
	asked chan struct{}
}

func (a *announcing) Read(p []byte) (int, error) {
	if a.asked != nil {
		close(a.asked)
		a.asked = nil
	}
	return a.Reader.Read(p)
}
