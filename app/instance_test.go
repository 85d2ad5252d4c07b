package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
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
		if _, err := os.Stat(filepath.Join(dir, "window.json")); !os.IsNotExist(err) {
			t.Errorf("the address is still there: %v", err)
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

func TestSilentFirstIsNamed(t *testing.T) {
	dir := t.TempDir()
	c := claimForTest(t, dir, nil, nil)
	if err := os.WriteFile(c.note, []byte(`{"schema":1,"address":"127.0.0.1:1","key":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
	defer cancel()
	_, err := claimFolder(ctx, dir, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("error %v", err)
	}
}

func TestClaimTakesNoStrangersCall(t *testing.T) {
	dir := t.TempDir()
	called := make(chan []string, 8)
	c := claimForTest(t, dir, nil, func(args []string) { called <- args })
	data, err := os.ReadFile(c.note)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(c.note)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key lies in a file with mode %v (error %v)", info.Mode(), err)
	}
	var box callBox
	if err := json.Unmarshal(data, &box); err != nil {
		t.Fatal(err)
	}
	for _, message := range []string{
		"", "\n", "{", "GET / HTTP/1.1\r\n\r\n", `{"key":"","args":["x"]}`, `{"key":"` + strings.Repeat("A", 26) + `"}`,
		`{"key":"` + box.Key + `x"}`, `["` + box.Key + `"]`, strings.Repeat(" ", 2*callBytes), "\x00\xff",
	} {
		conn, err := net.Dial("tcp", box.Address)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, message)
		_ = conn.(*net.TCPConn).CloseWrite()
		if reply, _ := io.ReadAll(conn); len(reply) > 0 {
			t.Errorf("the message %.40q was answered with %q", message, reply)
		}
		conn.Close()
	}
	select {
	case args := <-called:
		t.Errorf("a stranger's call got through: %q", args)
	default:
	}
	if claimForTest(t, dir, []string{"friend"}, nil) != nil {
		t.Error("after the strangers the first no longer answers")
	}
	if args := <-called; !slices.Equal(args, []string{"friend"}) {
		t.Errorf("the friend's call came as %q", args)
	}
}

func TestClaimWithoutAFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// Nothing can be written below a file, as on a read-only disk: the window
	// opens all the same.
	if claimForTest(t, filepath.Join(file, "data"), nil, nil) == nil {
		t.Error("no claim")
	}
}
