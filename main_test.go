package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// asProgram in the environment makes this test binary the program itself.
const asProgram = "INGLENOOK_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(run(context.Background(), os.Args[1:]))
	}
	os.Exit(m.Run())
}

// program runs the program in its own process.
func program(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append([]string{asProgram + "=1", "INGLENOOK_HOME=" + t.TempDir(), "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}, env...)
	var out, diagnostics bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), diagnostics.String(), cmd.ProcessState.ExitCode()
}

func TestWithoutADisplay(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells by its environment that there is no display")
	}
	stdout, stderr, code := program(t, nil)
	if code != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "inglenook demo") {
		t.Errorf("code %d, output %q, error output %q", code, stdout, stderr)
	}
}

func TestWindowFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"--nope"}, 2, "--nope"},
		{[]string{"--threads", "-1"}, 2, "--threads is -1"},
		{[]string{"--model", strings.Repeat("A", 50_000)}, 2, "--model has 50000 characters; give the name"},
		{[]string{"--" + strings.Repeat("A", 100_000)}, 2, "bytes are left out here"},
		{[]string{"--model"}, 2, "needs an argument"},
		{[]string{"--model", "x", "stray"}, 2, `"stray" does not fit`},
		{[]string{"unknown"}, 2, `no command "unknown"`},
		{[]string{"--help"}, 0, "Commands"},
		{[]string{"help"}, 0, "Commands"},
		{[]string{"help", "--help"}, 0, "Commands"},
		{[]string{"help", "embed"}, 0, "inglenook embed"},
		{[]string{"help", "nope"}, 2, `no command "nope"`},
	} {
		stdout, stderr, code := program(t, nil, c.args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.text) || code != 0 && strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: code %d, output %q, error output %q", c.args, code, stdout, stderr)
		}
	}
}

// If the system has too little memory for Go's runtime, the program says so in a sentence. With
// far less memory no Go program gets that far.
func TestLittleAddressSpace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux bounds the address space")
	}
	cmd := exec.Command("sh", "-c", "ulimit -v 2000000; exec "+os.Args[0]+" similarity a b")
	cmd.Env = []string{asProgram + "=1", "INGLENOOK_HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "may reserve 2.0 GB of address space (ulimit -v)") || strings.Count(string(out), "\n") != 1 {
		t.Errorf("%v: %q", err, out)
	}
}

// The error output of a command holds diagnostics only, whatever the locale, and in
// whichever way it is given.
func TestLocalesAreQuiet(t *testing.T) {
	for _, locale := range []string{"", "C", "POSIX", "C.UTF-8", "en_US.UTF-8", "de_DE@euro", "ja_JP.eucJP", "xx_YY", "nonsense", "1", "\xff", "de_DE:nonsense", strings.Repeat("x", 5000)} {
		for _, name := range []string{"LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE"} {
			env := []string{name + "=" + locale}
			if name == "LANGUAGE" {
				env = append(env, "LANG=en_US.UTF-8")
			}
			if stdout, stderr, code := program(t, env, "help"); code != 0 || stderr != "" || !strings.HasPrefix(stdout, "Inglenook computes") {
				t.Errorf("%.40q: code %d, output %.80q, error output %q", env, code, stdout, stderr)
			}
		}
	}
	for _, args := range commandsThatWork(t) {
		if _, stderr, code := program(t, []string{"LC_ALL=nonsense"}, args...); code != 0 || strings.Contains(stderr, "locale") {
			t.Errorf("%q: code %d, error output %q", args, code, stderr)
		}
	}
}

// commandsThatWork lists every command, with arguments with which it succeeds quickly.
func commandsThatWork(t *testing.T) [][]string {
	t.Helper()
	writer := t.TempDir() // a model that writes letters
	if err := os.CopyFS(writer, os.DirFS("models/testdata/decoders/llama")); err != nil {
		t.Fatal(err)
	}
	words := "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n?\n!\n:\n.\n,\n<\n>"
	for c := 'a'; c <= 'z'; c++ {
		words += "\n" + string(c) + "\n##" + string(c)
	}
	if err := os.WriteFile(filepath.Join(writer, "vocab.txt"), []byte(words), 0o600); err != nil {
		t.Fatal(err)
	}
	return [][]string{
		{"help"},
		{"--help"},
		{"version"},
		{"version", "--json"},
		{"devices"},
		{"devices", "--json"},
		{"models", "list"},
		{"models", "list", "--json"},
		{"compat", "starter-embed"},
		{"compat", "--matrix", "pipeline/testdata/cls"},
		{"embed", "x"},
		{"embed", "--json", "x"},
		{"similarity", "a", "b"},
		{"rerank", "--query", "a", "b", "c"},
		{"classify", "--model", "pipeline/testdata/gguf-rerank-roberta", "x"},
		{"forward", "--ids", "1,2"},
		{"tokenize", "x"},
		{"demo"},
		{"demo", "--json"},
		{"index", "assets/samples"},
		{"index", "--json", "assets/samples"},
		{"tokens", "list"},
		{"tokens", "list", "--json"},
		{"tokens", "add", "editor"},
		{"collections", "list"},
		{"collections", "list", "--json"},
		{"search", "lamp"},
		{"search", "--json", "lamp"},
		{"chat", "--prompt", "Hello"},
		{"chat", "--model", writer, "--raw", "--prompt", "a", "--max-tokens", "2"},
		{"bench", "--model", "pipeline/testdata/cls", "--texts", "2", "--pairs", "1", "--repeat", "1", "--devices", "cpu"},
		{"embed", "--help"},
		{"models", "--help"},
		{"chat", "--help"},
	}
}

// TestFullOutput prints the output of every command to a full disk: the command fails and says
// so in a sentence.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer full.Close()
	for _, args := range commandsThatWork(t) {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = []string{asProgram + "=1", "INGLENOOK_HOME=" + t.TempDir(), "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
		var diagnostics bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &diagnostics
		_ = cmd.Run()
		lines := strings.Split(strings.TrimSpace(diagnostics.String()), "\n")
		if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(lines[len(lines)-1], "could not be written") {
			t.Errorf("%q: code %d, error output %q", args, code, &diagnostics)
		}
	}
}
