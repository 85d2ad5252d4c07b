package extract

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inglenook/documents"
)

// The test program takes the place of the program: it runs as a child, as a child that
// fails, and as a parent that is killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case ChildArgument:
			os.Exit(Serve(os.Args[2:], os.Stdin, os.Stdout))
		case "fault":
			os.Exit(serve(os.Args[2:], os.Stdin, os.Stdout, fault))
		case "parent":
			parent(os.Args[2])
		}
	}
	goleak.VerifyTestMain(m)
}

// fault fails in the way that the file's name says.
func fault(_ context.Context, path string, _ Options) (documents.Document, error) {
	switch filepath.Base(path) {
	case "crash":
		var none *documents.Document
		none.Title = "" // a fault that nobody recovers
	case "overflow":
		var deeper func(n int) int
		deeper = func(n int) int { return deeper(n+1) + 1 }
		deeper(0)
	case "hang":
		select {}
	case "spin":
		for {
			runtime.KeepAlive(path)
		}
	case "memory":
		var all [][]byte
		for {
			block := make([]byte, 8<<20)
			for i := 0; i < len(block); i += 4096 {
				block[i] = 1
			}
			all = append(all, block)
			runtime.KeepAlive(all)
		}
	case "memory-at-once":
		runtime.KeepAlive(make([]byte, 1<<38))
	case "killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "noise":
		fmt.Fprint(os.Stderr, strings.Repeat("noise ", 100_000))
	case "write":
		err := os.WriteFile(filepath.Join(filepath.Dir(path), "written"), []byte("text"), 0o600)
		return documents.Document{Text: fmt.Sprint(err)}, nil
	case "pid":
	default:
		return documents.Document{}, &Error{Reason: Damaged, Text: "it is another file", Err: errors.New("cause")}
	}
	return documents.Document{Text: strconv.Itoa(os.Getpid())}, nil
}

func newChild(t *testing.T, o ChildOptions, mode string) *Child {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Command = []string{program, mode}
	c, err := NewChild(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// TestChildFaults makes the process fail in each way. The file gets a reason, and the next
// file is read.
func TestChildFaults(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signals")
	}
	c := newChild(t, ChildOptions{Memory: 256 << 20, Timeout: 20 * time.Second}, "fault")
	for name, want := range map[string]Reason{
		"crash": Damaged, "overflow": Damaged, "killed": Damaged,
		"memory": TooLarge, "memory-at-once": TooLarge, "noise": 0, "another": Damaged,
	} {
		_, err := c.File(t.Context(), name, Options{})
		if reason, _ := ReasonOf(err); reason != want || want == 0 && err != nil {
			t.Errorf("%s: %v (%v), want %v", name, err, reason, want)
		}
		if doc, err := c.File(t.Context(), "pid", Options{}); err != nil || doc.Text == "" {
			t.Errorf("after %s: %q, %v", name, doc.Text, err)
		}
	}
}

// TestChildTakesTooLong: a file that hangs is given up, and so is one that computes for ever.
func TestChildTakesTooLong(t *testing.T) {
	c := newChild(t, ChildOptions{Timeout: 300 * time.Millisecond}, "fault")
	for _, name := range []string{"hang", "spin"} {
		_, err := c.File(t.Context(), name, Options{})
		if reason, _ := ReasonOf(err); reason != TimedOut {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChildCancel: the end of the context ends the reading of a file, and the waiting of
// another for its turn.
func TestChildCancel(t *testing.T) {
	c := newChild(t, ChildOptions{}, "fault")
	ctx, cancel := context.WithCancel(t.Context())
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if _, err := c.File(ctx, "hang", Options{}); !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
		})
	}
	time.AfterFunc(50*time.Millisecond, cancel)
	both.Wait()
	if _, err := c.File(t.Context(), "pid", Options{}); err != nil {
		t.Error(err)
	}
}

// TestChildIsReplaced: a process is replaced after a number of files, and Close ends it.
func TestChildIsReplaced(t *testing.T) {
	c := newChild(t, ChildOptions{Files: 2}, "fault")
	var pids []string
	for i := range 5 {
		doc, err := c.File(t.Context(), "pid", Options{})
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, doc.Text)
		if i == 4 {
			c.Close()
			if running(t, doc.Text) {
				t.Error("it runs on after Close")
			}
		}
	}
	if pids[0] != pids[1] || pids[1] == pids[2] || pids[2] != pids[3] || pids[3] == pids[4] {
		t.Errorf("processes %v", pids)
	}
}

// TestChildReads compares a child with this process, for a document, an error and a
// missing file.
func TestChildReads(t *testing.T) {
	c := newChild(t, ChildOptions{}, ChildArgument)
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.md"), filepath.Join(dir, "bad.docx")
	if err := errors.Join(os.WriteFile(good, []byte("# Title\n\nText, *more* text.\n"), 0o600), os.WriteFile(bad, []byte("PK\x03\x04"), 0o600)); err != nil {
		t.Fatal(err)
	}
	want, err := File(t.Context(), good, Options{})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := c.File(t.Context(), good, Options{})
	if err != nil || fmt.Sprint(doc) != fmt.Sprint(want) {
		t.Errorf("%v, %v; want %v", doc, err, want)
	}
	if _, err := c.File(t.Context(), bad, Options{}); err == nil || err.(*Error).Reason != Damaged {
		t.Errorf("%v", err)
	}
	if _, err := c.File(t.Context(), filepath.Join(dir, "none"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, err := c.File(t.Context(), dir, Options{}); err == nil || err.(*Error).Reason != NotRegular {
		t.Errorf("%v", err)
	}
}

// TestChildWritesNothing: the process tries to write a file, which fails.
func TestChildWritesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such limit")
	}
	c := newChild(t, ChildOptions{}, "fault")
	doc, err := c.File(t.Context(), filepath.Join(t.TempDir(), "write"), Options{})
	if err != nil || !strings.Contains(doc.Text, "too large") {
		t.Errorf("writing a file: %q, %v", doc.Text, err)
	}
}

// parent starts a child that hangs, says its process id and waits to be killed.
func parent(file string) {
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c, err := NewChild(ChildOptions{Command: []string{program, "fault"}})
	if err != nil {
		panic(err)
	}
	doc, err := c.File(context.Background(), "pid", Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(doc.Text)
	c.File(context.Background(), file, Options{})
}

// TestParentKilled kills the parent while its child reads; the child ends too.
func TestParentKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks into /proc")
	}
	for _, file := range []string{"hang", "spin"} {
		program, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "parent", file)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var pid string
		if _, err := fmt.Fscanln(out, &pid); err != nil {
			t.Fatal(err)
		}
		if !running(t, pid) {
			t.Fatal("the child does not run")
		}
		cmd.Process.Kill()
		cmd.Wait()
		for deadline := time.Now().Add(20 * time.Second); running(t, pid); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: the child outlives its parent", file)
			}
		}
	}
}

// running reports whether a process exists and is not a zombie.
func running(t *testing.T, pid string) bool {
	t.Helper()
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}
