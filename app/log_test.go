package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/adrg/xdg"

	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/app/texts"
	"inglenook/engine"
)

func TestLogTurnsOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log", "x.log")
	r, err := openRotating(path, 1000, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	line := []byte(strings.Repeat("x", 99) + "\n")
	for range 100 {
		if n, err := r.Write(line); n != 100 || err != nil {
			t.Fatalf("wrote %d, error %v", n, err)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return e.Name() == "x.log.lock" })
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d files, error %v", len(entries), err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Size() == 0 || info.Size() > 1000 {
			t.Errorf("%s has %d bytes, error %v", e.Name(), info.Size(), err)
		}
	}
	if n, err := r.Write(bytes.Repeat(line, 30)); n != 3000 || err != nil {
		t.Errorf("a line larger than the file: wrote %d, error %v", n, err)
	}
}

func TestTwoProcessesShareTheLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.log")
	var wg sync.WaitGroup
	for i := range 2 {
		r, err := openRotating(path, 5000, 100)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		wg.Go(func() {
			for k := range 200 {
				fmt.Fprintf(r, "writer %d line %d %s\n", i, k, strings.Repeat(".", 50))
			}
		})
	}
	wg.Wait()
	files, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			lines++
			if !strings.HasPrefix(line, "writer ") || !strings.HasSuffix(line, "..\n") {
				t.Errorf("broken line %q", line)
			}
		}
	}
	if lines != 400 {
		t.Errorf("%d of 400 lines are there", lines)
	}
}

func TestLogWithoutADisk(t *testing.T) {
	r, err := openRotating("/dev/full", 1<<40, 2)
	if err != nil {
		t.Skip("this system has no /dev/full, a file that is always full")
	}
	log := newLog(r, false, nil)
	log.Info("nothing is kept, nothing fails")
	if n, err := r.Write([]byte("x")); n != 1 || err != nil {
		t.Errorf("wrote %d, error %v", n, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if n, err := r.Write([]byte("x")); n != 1 || err != nil {
		t.Errorf("after Close: wrote %d, error %v", n, err)
	}
}

func TestLogHoldsNoSecrets(t *testing.T) {
	apptest.Home(t)
	const secret = "hf_PLANTEDplanted123"
	var file, screen bytes.Buffer
	log := newLog(&file, true, &screen)
	path := filepath.Join(xdg.Home, "private")
	log.Info("to "+path+" with "+secret, "error", errors.New("open "+path+": "+secret))
	log.With("token", 1, "url", "https://u:"+secret+"@host").WithGroup("g").Warn("x", "authorization", []string{"anything"},
		slog.Group("request", "header", http.Header{"Authorization": {"Bearer " + secret}}, "cookie", "c1"), "list", []string{path, secret})
	log.Info("x", "api_key", "k-anything", "password", "p-anything", slog.Any("nil", nil))
	for name, out := range map[string]string{"file": file.String(), "screen": screen.String()} {
		for _, bad := range []string{secret, "PLANTED", xdg.Home, "anything", "c1"} {
			if strings.Contains(out, bad) {
				t.Errorf("the %s holds %q:\n%s", name, bad, out)
			}
		}
		if strings.Count(out, "\n") != 3 || !strings.Contains(out, "~/private") {
			t.Errorf("the %s holds\n%s", name, out)
		}
	}
	if strings.Contains(screen.String(), "time=") || !strings.Contains(file.String(), "time=") {
		t.Errorf("time is for the file, not for the screen:\n%s\n%s", &file, &screen)
	}
}

func TestDiagnosticsHoldNoSecrets(t *testing.T) {
	a := newTestApp(t, &double{})
	private := filepath.Join(xdg.Home, "secret-models")
	a.Log().Info("uses hf_PLANTEDplanted123", "path", private)
	if err := a.SaveSettings(func(s *base.Settings) {
		s.Recent, s.Model, s.SimilarityTexts = []string{private}, private, []string{"a private thought"}
	}); err != nil {
		t.Fatal(err)
	}
	text := a.Diagnostics()
	for _, bad := range []string{"PLANTED", xdg.Home + "/", "private thought"} {
		if strings.Contains(text, bad) {
			t.Errorf("the diagnostics hold %q:\n%s", bad, text)
		}
	}
	for _, want := range []string{"Inglenook ", "cpu: a processor, 8.6 GB, 2 threads, plain", "metal: ", "theme system", "~/secret-models", "msg=start"} {
		if !strings.Contains(text, want) {
			t.Errorf("the diagnostics lack %q:\n%s", want, text)
		}
	}
}

func TestFallbacksAreLogged(t *testing.T) {
	apptest.Home(t)
	var screen bytes.Buffer
	a, err := New(Options{Home: t.TempDir(), Verbose: true, Stderr: &screen})
	if err != nil {
		t.Fatal(err)
	}
	useDouble(a, &double{ran: []engine.Fallback{{Op: engine.OpPool, Device: "metal", RunsOn: "cpu", Reason: "no kernel for weighted_mean", Count: 3}}})
	got, err := a.Embed(context.Background(), texts.EmbedRequest{Texts: []string{"x"}}, nil)
	if err != nil || len(got.Fallbacks) != 1 {
		t.Errorf("%+v, error %v", got.Fallbacks, err)
	}
	if err := a.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if want := `msg=fallback op=pool device=metal runs_on=cpu reason="no kernel for weighted_mean" count=3`; !strings.Contains(screen.String(), want) {
		t.Errorf("the log lacks the fallback:\n%s", &screen)
	}
}
