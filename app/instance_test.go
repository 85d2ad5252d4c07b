package app

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// claimChild names the data folder in the environment of a child process that
// claims it and waits to be killed.
const claimChild = "INGLENOOK_TEST_CLAIM"

func holdClaim(dir string) {
	c, err := claimFolder(context.Background(), dir, nil, nil)
	fmt.Println(c != nil, err)
	time.Sleep(time.Minute)
}

func claimForTest(t *testing.T, dir string, args []string, onFocus func([]string)) *claim {
	t.Helper()
	c, err := claimFolder(context.Background(), dir, args, onFocus)
	if err != nil {
		t.Fatal(err)
	}
	if c != nil {
		t.Cleanup(c.close)
	}
	return c
}

func TestSecondStartReachesTheFirst(t *testing.T) {
	dir := t.TempDir()
	got := make(chan []string, 4)
	if claimForTest(t, dir, nil, func(args []string) { got <- args }) == nil {
		t.Fatal("the first start is not the first")
	}
	for _, args := range [][]string{{"--model", "/models/ä b"}, nil} {
		if claimForTest(t, dir, args, nil) != nil {
			t.Fatal("the second start became first")
		}
		select {
		case have := <-got:
			if !slices.Equal(have, args) {
				t.Errorf("the first got %q, want %q", have, args)
			}
		case <-time.After(time.Minute):
			t.Fatal("the first was not told")
		}
	}
}

func TestClaimEndsWithClose(t *testing.T) {
	dir := t.TempDir()
	for range 3 {
		c, err := claimFolder(context.Background(), dir, nil, nil)
		if err != nil || c == nil {
			t.Fatalf("claim %v, error %v", c, err)
		}
		c.close()
		if _, err := os.Lstat(filepath.Join(dir, "window", "socket")); !os.IsNotExist(err) {
			t.Errorf("the socket is still there: %v", err)
		}
	}
}

func TestClaimOfKilledProcessIsTakenOver(t *testing.T) {
	dir := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), claimChild+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 64)
	n, _ := out.Read(line)
	if !strings.HasPrefix(string(line[:n]), "true <nil>") {
		t.Fatalf("the child says %q", line[:n])
	}
	if claimForTest(t, dir, nil, nil) != nil {
		t.Error("the folder was free while the child held it")
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	if claimForTest(t, dir, nil, nil) == nil {
		t.Error("the folder was not taken over from the killed child")
	}
}

// socketOf is the socket of the claim on a folder.
func socketOf(dir string) string { return filepath.Join(dir, "window", "socket") }

func TestSilentFirstIsNamed(t *testing.T) {
	dir := t.TempDir()
	claimForTest(t, dir, nil, nil)
	for name, spoil := range map[string]func() error{
		"no socket": func() error {
			os.Remove(socketOf(dir))
			return nil
		},
		"another file": func() error {
			os.Remove(socketOf(dir))
			return os.WriteFile(socketOf(dir), nil, 0o600)
		},
		"nobody there": func() error {
			os.Remove(socketOf(dir))
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socketOf(dir)})
			if err != nil {
				return err
			}
			l.SetUnlinkOnClose(false)
			return l.Close()
		},
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
		_, err := claimFolder(ctx, dir, nil, nil)
		cancel()
		if err == nil || !strings.Contains(err.Error(), "does not answer") || strings.Contains(err.Error(), "socket") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestOnlyTheOwnerReachesTheClaim: even in a data folder that everybody may enter, only the
// owner can connect.
func TestOnlyTheOwnerReachesTheClaim(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{os.Chmod(dir, 0o777), os.Mkdir(filepath.Join(dir, "window"), 0o777), os.Chmod(filepath.Join(dir, "window"), 0o777)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	claimForTest(t, dir, nil, nil)
	info, err := os.Lstat(filepath.Join(dir, "window"))
	if err != nil || info.Mode() != fs.ModeDir|0o700 {
		t.Errorf("the folder of the socket has the mode %v, error %v", info.Mode(), err)
	}
	other := t.TempDir()
	if err := os.Symlink(dir, filepath.Join(other, "window")); err != nil {
		t.Fatal(err)
	}
	if c := claimForTest(t, other, nil, nil); c.desk != nil {
		t.Error("a link to somebody's folder was taken for ours")
	}
}

// TestClaimTakesNoOddCall: connections that send something else, or nothing, are refused.
func TestClaimTakesNoOddCall(t *testing.T) {
	dir := t.TempDir()
	called := make(chan []string, 8)
	claimForTest(t, dir, nil, func(args []string) { called <- args })
	for _, message := range []string{
		"", "\n", "{", "GET / HTTP/1.1\r\n\r\n", `["x"]`, `{"args":"x"}`, `{"args":["` + strings.Repeat("A", argBytes+1) + `"]}`,
		strings.Repeat(" ", 2*callBytes), `{"args":["` + strings.Repeat(`x","`, callBytes) + `"]}`, "\x00\xff",
	} {
		conn, err := net.Dial("unix", socketOf(dir))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, message)
		_ = conn.(*net.UnixConn).CloseWrite()
		if reply, _ := io.ReadAll(conn); len(reply) > 0 {
			t.Errorf("the message %.40q was answered with %q", message, reply)
		}
		conn.Close()
	}
	select {
	case args := <-called:
		t.Errorf("an odd call got through: %.100q", args)
	default:
	}
	if claimForTest(t, dir, []string{"friend"}, nil) != nil {
		t.Error("after the odd calls the first no longer answers")
	}
	if args := <-called; !slices.Equal(args, []string{"friend"}) {
		t.Errorf("the friend's call came as %q", args)
	}
}

// TestSilentCallsKeepNobodyWaiting opens many connections that send nothing: a second start
// gets through all the same, and only a few stay open.
func TestSilentCallsKeepNobodyWaiting(t *testing.T) {
	dir := t.TempDir()
	called := make(chan []string, 1)
	c := claimForTest(t, dir, nil, func(args []string) { called <- args })
	for range 200 {
		conn, err := net.Dial("unix", socketOf(dir))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	if claimForTest(t, dir, []string{"friend"}, nil) != nil {
		t.Error("the second start became first")
	}
	if args := <-called; !slices.Equal(args, []string{"friend"}) {
		t.Errorf("the call came as %q", args)
	}
	if n := cap(c.desk.calls); n != callsAtOnce {
		t.Errorf("%d calls may be open", n)
	}
}

// TestClaimInADeepFolder: the path may be longer than the address of a socket.
func TestClaimInADeepFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("deep/", 40))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	called := make(chan []string, 1)
	c := claimForTest(t, dir, nil, func(args []string) { called <- args })
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	second, err := claimFolder(ctx, dir, []string{"x"}, nil)
	if runtime.GOOS != "linux" {
		if err == nil || !strings.Contains(err.Error(), "characters") {
			t.Errorf("error %v", err)
		}
		return
	}
	if second != nil || err != nil {
		t.Fatalf("claim %v, error %v", second, err)
	}
	if args := <-called; !slices.Equal(args, []string{"x"}) {
		t.Errorf("the call came as %q", args)
	}
	c.close()
	if _, err := os.Lstat(socketOf(dir)); !os.IsNotExist(err) {
		t.Errorf("the socket is still there: %v", err)
	}
	c.lock, c.desk = nil, nil
}

func TestClaimWithoutAFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// Below a file nothing can be written, like on a read-only disk. The window opens all
	// the same.
	if claimForTest(t, filepath.Join(file, "data"), nil, nil) == nil {
		t.Error("no claim")
	}
}
