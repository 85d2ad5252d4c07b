package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"inglenook/app"
)

// TestServe starts the server, asks it, and ends it with each signal.
func TestServe(t *testing.T) {
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		out, in := io.Pipe()
		code := make(chan int, 1)
		var diagnostics strings.Builder
		home := t.TempDir()
		go func() {
			defer in.Close()
			code <- Run(context.Background(), []string{"serve", "--port", "0", "--json", "--verbose", "--model", "starter-embed"}, IO{Stdin: strings.NewReader(""), Stdout: in, Stderr: &diagnostics}, func(o app.Options) (App, error) {
				o.Home = home
				return app.New(o)
			})
		}()
		lines := bufio.NewScanner(out)
		if !lines.Scan() {
			t.Fatalf("nothing was printed; error output %q", diagnostics.String())
		}
		address := decode[struct{ Listening string }](t, lines.Text()).Listening
		const secret = "what nobody else may read"
		got, err := http.Post(address+"/v1/embeddings", "application/json", strings.NewReader(`{"input":"`+secret+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Data []struct{ Embedding []float32 }
		}
		if err := json.NewDecoder(got.Body).Decode(&answer); err != nil || len(answer.Data) != 1 || len(answer.Data[0].Embedding) == 0 {
			t.Errorf("status %d, %v", got.StatusCode, err)
		}
		got.Body.Close()
		if !lines.Scan() || !strings.Contains(lines.Text(), `"route":"/v1/embeddings"`) || !strings.Contains(lines.Text(), `"model":"starter-embed"`) {
			t.Errorf("told %q", lines.Text())
		}
		http.DefaultClient.CloseIdleConnections()
		begun := time.Now()
		if err := syscall.Kill(os.Getpid(), signal); err != nil {
			t.Fatal(err)
		}
		if c := <-code; c != exitInterrupted || time.Since(begun) > 2*time.Second {
			t.Errorf("%v: code %d after %v", signal, c, time.Since(begun))
		}
		if lines.Scan() || strings.Contains(diagnostics.String(), secret) {
			t.Errorf("also printed %q, error output %q", lines.Text(), diagnostics.String())
		}
		_ = filepath.WalkDir(home, func(path string, _ os.DirEntry, _ error) error {
			if data, err := os.ReadFile(path); err == nil && strings.Contains(string(data), secret) {
				t.Errorf("%s holds the text of a request", path)
			}
			return nil
		})
	}
}

func TestServeRefuses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--port|70000", exitUsage, "--port is 70000"},
		{"--host|", exitUsage, "--host is empty"},
		{"--model|", exitUsage, "it is empty"},
		{"stray", exitUsage, "one argument too many"},
		{"--parallel|4", exitUsage, "there is no flag --parallel"},
		{"--port|" + port, exitFailed, "cannot be had"},
		{"--host|0.0.0.0", exitFailed, "a token is needed"},
		{"--cors|*", exitFailed, "is not an origin"},
		{"--token-file|" + empty, exitFailed, "holds no token"},
		{"--token-file|" + empty + "x", exitFailed, "cannot be read"},
		{"--model|nobody/nothing", exitFailed, "nobody/nothing"},
	} {
		o := inglenook(t, "", append([]string{"serve"}, strings.Split(c.args, "|")...)...)
		if o.code != c.code || o.stdout != "" || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%s: code %d, output %q, error output %q", c.args, o.code, o.stdout, o.stderr)
		}
	}
}
