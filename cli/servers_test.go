package cli

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/remote/remotetest"
)

// TestServers: a server is added, its models answer, embed and rank, and it is forgotten.
func TestServers(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent") // no keyring
	d := remotetest.New(t)
	d.Token = "very-secret-token"
	run := inOneHome(t)
	t.Setenv(tokenVariable, d.Token)
	if out := run("servers", "add", d.URL, "--name", "lab").stdout; !strings.Contains(out, "lab/some-embedder  embedding") {
		t.Errorf("added: %q", out)
	}
	os.Unsetenv(tokenVariable)
	list := decode[[]serverJSON](t, run("servers", "list", "--json").ok(t).stdout)
	if len(list) != 1 || list[0].Leaves || !list[0].Addresses[0].Up || len(list[0].Models) != 3 {
		t.Errorf("%+v", list)
	}
	if out := run("chat", "--model", "lab/talker", "--prompt", "Count.").ok(t).stdout; strings.TrimSpace(out) != "One two three." {
		t.Errorf("chat: %q", out)
	}
	d.Lock()
	d.Words = []string{"One\x1b]0;title\a", " \x1b[2Jtwo."}
	d.Unlock()
	if out := run("chat", "--model", "lab/talker", "--prompt", "Count.").ok(t).stdout; strings.ContainsAny(out, "\x1b\a") || !strings.Contains(out, "two.") {
		t.Errorf("what drives a terminal: %q", out)
	}
	if out := run("embed", "--model", "lab/some-embedder", "--stats", "--json", "a", "b").ok(t).stdout; !strings.Contains(out, `"device":"lab"`) {
		t.Errorf("embed: %q", out)
	}
	if out := run("rerank", "--model", "lab/some-reranker", "--query", "long river", "dry sand", "a long river").ok(t).stdout; !strings.HasPrefix(strings.TrimSpace(out), "1.0000    2") {
		t.Errorf("rerank: %q", out)
	}
	for reason, want := range map[string]string{"length": "stopped at a limit of the server", "content_filter": "a filter of lab", "abort": `("abort")`} {
		d.Lock()
		d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":\"One\"},\"finish_reason\":%q}]}\n\n", reason)
			return true
		}
		d.Unlock()
		ran := run("chat", "--model", "lab/talker", "--prompt", "Count.")
		if ran.code != 0 || strings.TrimSpace(ran.stdout) != "One" || strings.Count(ran.stderr, "note: ") != 1 || !strings.Contains(ran.stderr, want) || strings.Contains(ran.stderr, "--max-tokens\n") {
			t.Errorf("%s: %q %q", reason, ran.stdout, ran.stderr)
		}
		if ran := run("chat", "--model", "lab/talker", "--prompt", "Count.", "--format", "json"); ran.code == 0 || !strings.Contains(ran.stderr, "not complete JSON") || !strings.Contains(ran.stderr, want) {
			t.Errorf("%s, as JSON: %d %q", reason, ran.code, ran.stderr)
		}
	}
	d.Lock()
	d.Fault = nil
	d.Unlock()
	for want, args := range map[string][]string{
		"in its own way":            {"chat", "--model", "lab/talker", "--kv", "f32", "--prompt", "x"},
		"has no model none":         {"embed", "--model", "lab/none", "x"},
		"so its files are not here": {"tokenize", "--model", "lab/talker", "x"},
		"neither embeds":            {"embed", "--model", "lab/talker", "x"},
		"leave out task, pooling":   {"embed", "--model", "lab/some-embedder", "--pooling", "cls", "x"},
		"one of list, add":          {"servers", "show"},
		"runs on a server":          {"compat", "lab/talker"},
		"runs on a server, so i":    {"forward", "--model", "lab/some-embedder", "--ids", "1"},
	} {
		if ran := run(args...); ran.code == 0 || !strings.Contains(ran.stderr, want) || strings.Contains(ran.stderr, d.Token) {
			t.Errorf("%v: %d %q", args, ran.code, ran.stderr)
		}
	}
	run("servers", "remove", "lab").ok(t)
	if out := run("servers", "list").ok(t).stdout; !strings.Contains(out, "No server was added") {
		t.Errorf("after it was removed: %q", out)
	}
}

// TestJSONOfABrokenAnswer: the words that came before an error are in the JSON, beside the error.
func TestJSONOfABrokenAnswer(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent") // no keyring
	d := remotetest.New(t)
	run := inOneHome(t)
	run("servers", "add", d.URL, "--name", "lab").ok(t)
	d.Lock()
	d.Fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"One\"}}]}\n\n<html>502</html>\n")
		return true
	}
	d.Unlock()
	got := run("chat", "--model", "lab/talker", "--prompt", "Count.", "--json")
	out := decode[chatAnswerJSON](t, got.stdout)
	if got.code != exitFailed || out.Text != "One" || out.FinishReason != "error" || !strings.Contains(got.stderr, "a web page") {
		t.Errorf("%d %+v %q", got.code, out, got.stderr)
	}
}

// TestIndexThroughServers: two addresses embed a folder. One dies in the middle: nothing is
// lost. Both die: the run stops with a sentence, and goes on when they are back.
func TestIndexThroughServers(t *testing.T) {
	a, b := remotetest.New(t), remotetest.New(t)
	run := inOneHome(t)
	run("servers", "add", a.URL, b.URL, "--name", "lab").ok(t)
	dir := t.TempDir()
	for i := range 60 {
		text := strings.Repeat(fmt.Sprintf("Letter %d tells of ships. ", i), 30)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.txt", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	die := func(after int, doubles ...*remotetest.Server) {
		n := 0
		for _, d := range doubles {
			d.Lock()
			d.Fault = func(http.ResponseWriter, *http.Request, []byte) bool {
				d.Lock()
				defer d.Unlock()
				if n++; n > after {
					panic(http.ErrAbortHandler)
				}
				return false
			}
			d.Unlock()
		}
	}
	die(1, a)
	die(2, b)
	ran := run("index", dir, "--collection", "Letters", "--model", "lab/some-embedder")
	if ran.code == 0 || !strings.Contains(ran.stderr, "none of the 2 addresses of lab works") {
		t.Errorf("both dead: %d %q %q", ran.code, ran.stdout, ran.stderr)
	}
	die(1<<30, a)
	if ran := run("index", dir, "--collection", "Letters"); ran.code != 0 {
		t.Errorf("one is back: %d %q %q", ran.code, ran.stdout, ran.stderr)
	}
	found := decode[searchJSON](t, run("search", "--json", "--collection", "Letters", "--mode", "keyword", "--top", "60", "ships").ok(t).stdout)
	if len(found.Results) == 0 {
		t.Error("nothing is found")
	}
	if list := run("collections", "list").ok(t).stdout; !strings.Contains(list, "60 files") || !strings.Contains(list, "lab/some-embedder") {
		t.Errorf("collections: %q", list)
	}
}
