package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
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

// program runs the program as a process of its own.
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
	} {
		stdout, stderr, code := program(t, nil, c.args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.text) || code != 0 && strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: code %d, output %q, error output %q", c.args, code, stdout, stderr)
		}
	}
}

// Where the system would refuse Go's runtime what it wants, a sentence comes in
// time. Far below, no program of Go gets as far as that.
func TestLittleAddressSpace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux bounds the address space")
	}
	cmd := exec.Command("sh", "-c", "ulimit -v 2000000; exec "+os.Args[0]+" similarity a b")
	cmd.Env = []string{asProgram + "=1", "INGLENOOK_HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "may reserve 1.9 GiB of address space (ulimit -v)") || strings.Count(string(out), "\n") != 1 {
		t.Errorf("%v: %q", err, out)
	}
}

// The error output of a command holds diagnostics only, whatever the locale.
func TestLocalesAreQuiet(t *testing.T) {
	for _, locale := range []string{"", "C", "POSIX", "C.UTF-8", "en_US.UTF-8", "de_DE@euro", "ja_JP.eucJP"} {
		stdout, stderr, code := program(t, []string{"LANG=" + locale}, "version", "--json")
		if code != 0 || stderr != "" || !strings.HasPrefix(stdout, `{"version":`) {
			t.Errorf("LANG=%s: code %d, output %q, error output %q", locale, code, stdout, stderr)
		}
	}
}
