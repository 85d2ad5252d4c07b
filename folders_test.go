package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tree lists the files and folders below some, with their sizes and times.
func tree(t *testing.T, roots ...string) string {
	t.Helper()
	var b strings.Builder
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := e.Info()
			if err == nil && path != root {
				fmt.Fprintln(&b, path, info.Mode(), info.Size(), info.ModTime())
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return b.String()
}

// TestWritesOnlyIntoItsFolders runs commands with every kind of HOME and INGLENOOK_HOME, and
// compares the files around them before and after.
func TestWritesOnlyIntoItsFolders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(file, "folder") // nothing can be written below a file, not even by root
	homes := map[string]string{"unset": "", "relative": "HOME=relative", "unwritable": "HOME=" + below, "set": "HOME=@"}
	ours := map[string]string{"unset": "", "relative": "INGLENOOK_HOME=inglenook", "unwritable": "INGLENOOK_HOME=" + below, "set": "INGLENOOK_HOME=@"}
	commands := [][]string{{"embed", "x"}, {"version"}, {"models", "list"}}
	for kind, home := range homes {
		for which, own := range ours {
			for _, args := range commands {
				work, account, inglenook := t.TempDir(), t.TempDir(), t.TempDir()
				cmd := exec.Command(os.Args[0], args...)
				cmd.Dir = work
				cmd.Env = []string{asProgram + "=1", "PATH=" + os.Getenv("PATH"), strings.ReplaceAll(home, "@", account), strings.ReplaceAll(own, "@", inglenook)}
				var diagnostics bytes.Buffer
				cmd.Stderr = &diagnostics
				root := tree(t, "/.local", "/.config", "/.cache")
				err := cmd.Run()
				what := fmt.Sprintf("HOME %s, INGLENOOK_HOME %s, %s", kind, which, args[0])
				if strings.Count(diagnostics.String(), "\n") > 1 {
					t.Errorf("%s: not one sentence: %q", what, &diagnostics)
				}
				refused := own == "" && (kind == "unset" || kind == "relative")
				switch {
				case refused && (cmd.ProcessState.ExitCode() != 1 || !strings.Contains(diagnostics.String(), "set HOME to your folder, or INGLENOOK_HOME")):
					t.Errorf("%s: %v, %q", what, err, &diagnostics)
				case !refused && err != nil:
					t.Errorf("%s: %v, %q", what, err, &diagnostics)
				case !refused && (which == "unwritable" || own == "" && kind == "unwritable") && !strings.Contains(diagnostics.String(), "not kept when it closes"):
					t.Errorf("%s: nothing says that it cannot write: %q", what, &diagnostics)
				}
				if root != tree(t, "/.local", "/.config", "/.cache") {
					t.Errorf("%s: it wrote below the root of the disk", what)
				}
				if got := tree(t, work); which == "relative" {
					if _, err := os.Stat(filepath.Join(work, "inglenook", "data")); err != nil || strings.Count(tree(t, work), "\n") != strings.Count(tree(t, filepath.Join(work, "inglenook")), "\n")+1 {
						t.Errorf("%s: in the working folder lies\n%s", what, got)
					}
				} else if got != "" {
					t.Errorf("%s: in the working folder lies\n%s", what, got)
				}
				for line := range strings.Lines(tree(t, account)) {
					if own != "" || !strings.Contains(line, "/inglenook") && !strings.HasSuffix(strings.Fields(line)[0], "/.local") && !strings.HasSuffix(strings.Fields(line)[0], "/share") && !strings.HasSuffix(strings.Fields(line)[0], "/.cache") && !strings.HasSuffix(strings.Fields(line)[0], "/.config") {
						t.Errorf("%s: in the home folder lies %s", what, line)
					}
				}
			}
		}
	}
}

// TestEveryCommandWithoutAHome runs every command where HOME is unset, relative, or cannot
// be written: it works or says in a sentence what to do, and writes nowhere else.
func TestEveryCommandWithoutAHome(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	homes := map[string]string{"unset": "PATH=" + os.Getenv("PATH"), "relative": "HOME=relative", "unwritable": "HOME=" + filepath.Join(file, "folder")}
	commands := map[string]bool{ // whether it works where it can keep nothing
		"devices": true, "models|search|--offline|x": false, "compat|starter-embed": true, "embed|x": true, "similarity|a|b": true, "rerank|--query|q|a|b": true,
		"index|.": false, "search|x": false, "collections|list": false, "chat|--prompt|x|--max-tokens|1": true, "forward|--ids|1,2": true, "tokenize|x": true, "bench|--texts|2|--repeat|1": true, "demo": false, "version": true,
	}
	for kind, home := range homes {
		for line, works := range commands {
			work := t.TempDir()
			args := strings.Split(line, "|")
			cmd := exec.Command(os.Args[0], args...)
			cmd.Dir = work
			cmd.Env = []string{asProgram + "=1", "PATH=" + os.Getenv("PATH"), home}
			var diagnostics bytes.Buffer
			cmd.Stderr = &diagnostics
			root := tree(t, "/.local", "/.config", "/.cache")
			err := cmd.Run()
			what := fmt.Sprintf("HOME %s, %s", kind, line)
			switch refused := kind != "unwritable"; {
			case refused && (cmd.ProcessState.ExitCode() != 1 || !strings.Contains(diagnostics.String(), "set HOME to your folder, or INGLENOOK_HOME")):
				t.Errorf("%s: %v, %q", what, err, &diagnostics)
			case !refused && works && err != nil, !refused && !strings.Contains(diagnostics.String(), "not kept when it closes"), cmd.ProcessState.ExitCode() > 1:
				t.Errorf("%s: %v, %q", what, err, &diagnostics)
			}
			if strings.Contains(diagnostics.String(), "goroutine") || strings.Count(diagnostics.String(), "\n") > 3 {
				t.Errorf("%s: not one sentence: %q", what, &diagnostics)
			}
			if got := tree(t, work); got != "" || root != tree(t, "/.local", "/.config", "/.cache") {
				t.Errorf("%s: it wrote where it stands, or below the root of the disk: %s", what, got)
			}
		}
	}
}

// TestWindowWritesOnlyIntoItsFolders opens the real window if there is a virtual display.
func TestWindowWritesOnlyIntoItsFolders(t *testing.T) {
	display := virtualDisplay(t)
	home, inglenook, work := t.TempDir(), t.TempDir(), t.TempDir()
	cmd := exec.Command(os.Args[0], "--model", strings.Repeat("A", maxModelName)) // which is shown, and delays nothing
	cmd.Dir = work
	cmd.Env = []string{asProgram + "=1", "PATH=" + os.Getenv("PATH"), "DISPLAY=" + display, "LIBGL_ALWAYS_SOFTWARE=1", "HOME=" + home, "INGLENOOK_HOME=" + inglenook}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if log, _ := os.ReadFile(filepath.Join(inglenook, "data", "log", "inglenook.log")); bytes.Contains(log, []byte("window open")) {
			break
		}
		select {
		case err := <-ended:
			if strings.Contains(out.String(), "GLX") || strings.Contains(out.String(), "OpenGL") {
				t.Skipf("no window can open here: %s", &out)
			}
			t.Fatalf("the window did not open: %v, %s", err, &out)
		default:
		}
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			t.Fatalf("the window did not open: %s", &out)
		}
	}
	time.Sleep(time.Second) // it draws, and Fyne looks at its settings
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := <-ended; err != nil || out.Len() > 0 {
		t.Errorf("it ended with %v, and said %q", err, &out)
	}
	if got := tree(t, home, work); got != "" {
		t.Errorf("outside of its folders lies\n%s", got)
	}
	if _, err := os.Stat(filepath.Join(inglenook, "config", "fyne")); err != nil {
		t.Errorf("Fyne's own files are not in our folder: %v", err)
	}
}

// virtualDisplay starts a display without a screen, and returns its name.
func virtualDisplay(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip("there is no Xvfb here")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command(program, "-displayfd", "3", "-screen", "0", "1280x800x24", "+extension", "GLX")
	cmd.ExtraFiles = []*os.File{write}
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	write.Close()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	number := make([]byte, 16)
	n, err := io.ReadAtLeast(read, number, 2)
	if err != nil {
		t.Skipf("no virtual display: %v", err)
	}
	return ":" + strings.TrimSpace(string(number[:n]))
}
