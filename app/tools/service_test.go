package tools

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"inglenook/app/base"
	"inglenook/hub"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newService has its settings in a folder of the test.
func newService(t *testing.T, dir string) *Service {
	s := New(base.NewLifetime(), slog.New(slog.DiscardHandler), base.Paths{Config: dir}, nil, nil)
	s.patience, s.starting = time.Hour, time.Hour // a slow machine changes nothing
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// acted is this test program as a server of some kind.
func acted(t *testing.T, name, kind string) Server {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Server{Name: name, Command: `"` + program + `"`, Extra: []string{acting + "=" + kind, "EXTRA=!"}}
}

// offered adds a server and returns its tools by name.
func offered(t *testing.T, s *Service, server Server) map[string]Tool {
	t.Helper()
	if err := s.Save("", server); err != nil {
		t.Fatal(err)
	}
	list, notes, err := s.Offered(t.Context())
	if err != nil || len(notes) > 0 {
		t.Fatal(notes, err)
	}
	tools := map[string]Tool{}
	for _, tool := range list {
		tools[tool.Name] = tool
	}
	return tools
}

func call(t *testing.T, s *Service, tool Tool, arguments string) Result {
	t.Helper()
	r, err := s.Call(t.Context(), tool, arguments, 0)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCalls has a server do each thing that a call can come to.
func TestCalls(t *testing.T) {
	s := newService(t, t.TempDir())
	tools := offered(t, s, acted(t, "test", "usual"))
	if r := call(t, s, tools["echo"], `{"text":"hi"}`); r.Text != `{"text":"hi"}!` || r.Failed {
		t.Error(r)
	}
	if tool := tools["odd name!"]; tool.Called != "odd_name_" || call(t, s, tool, "").Text != "fine" {
		t.Error(tool)
	}
	if d := tools["hidden"].Description; d != "un⟨U+202E⟩seen" {
		t.Error(d)
	}
	for _, c := range []struct {
		tool, has string
		failed    bool
	}{
		{"hidden", "a⟨U+001B⟩[2Jb⟨U+202E⟩c⟨U+0000⟩", false},
		{"fails", "no such city", true},
		{"picture", "(a picture of 3.0 kB, which is not read)", false},
		{"big", "(Cut: this is the first 16 kB of 10 MB.)", false},
		{"huge", "", true},
		{"ends", "out of luck", true},
		{"floods", "", true},
		{"echo", `{}!`, false}, // the server begins again after it ended
	} {
		r := call(t, s, tools[c.tool], `{}`)
		t.Logf("%s: %.120s", c.tool, r.Text)
		if !strings.Contains(r.Text, c.has) || r.Failed != c.failed || len(r.Text) > MaxResult+100 {
			t.Errorf("%s: failed %v, %d bytes: %.200s", c.tool, r.Failed, len(r.Text), r.Text)
		}
	}
	for _, arguments := range []string{"[1]", "null", "{"} {
		if r := call(t, s, tools["echo"], arguments); !r.Failed || !strings.Contains(r.Text, "no JSON object") {
			t.Error(arguments, r)
		}
	}
}

// TestHangs ends a call at its deadline, and one whose caller leaves at once.
func TestHangs(t *testing.T) {
	s := newService(t, t.TempDir())
	tools := offered(t, s, acted(t, "test", "usual"))
	s.patience = 300 * time.Millisecond
	if r := call(t, s, tools["hangs"], ""); !r.Failed || !strings.Contains(r.Text, "did not answer within") {
		t.Error(r)
	}
	s.patience = time.Hour
	if r := call(t, s, tools["echo"], ""); r.Failed {
		t.Error(r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := s.Call(ctx, tools["hangs"], "", 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestServersThatDoNotServe are left out, each with a sentence, and the others are offered.
func TestServersThatDoNotServe(t *testing.T) {
	s := newService(t, t.TempDir())
	for _, server := range []Server{
		acted(t, "dead", "dies"), acted(t, "flood", "floods"), acted(t, "good", "usual"), acted(t, "odd", "garbage"),
		{Name: "missing", Command: "there-is-no-such-program"},
		{Name: "nobody", Address: "http://127.0.0.1:1/mcp"},
	} {
		if err := s.Save("", server); err != nil {
			t.Fatal(err)
		}
	}
	list, notes, err := s.Offered(t.Context())
	if err != nil || len(list) != 10 {
		t.Error(list, err)
	}
	all := strings.Join(notes, "\n")
	if len(notes) != 5 || !strings.Contains(all, "“odd” offers no tools now: what it sends is no message of a tool server") || !strings.Contains(all, "no licence") || !strings.Contains(all, "there is no program “there-is-no-such-program”") {
		t.Error(all)
	}
	if strings.ContainsRune(all, '\x1b') {
		t.Errorf("%q", all)
	}
	for _, kind := range []string{"silent", "garbage"} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		if _, _, err := s.Try(ctx, acted(t, kind, kind)); err == nil {
			t.Error(kind)
		}
		cancel()
	}
}

// TestAllowed keeps what a person said, and asks again where a tool is another one.
func TestAllowed(t *testing.T) {
	dir := t.TempDir()
	s := newService(t, dir)
	echo := offered(t, s, acted(t, "test", "usual"))["echo"]
	if s.Allowed("a", echo) {
		t.Error("allowed by itself")
	}
	if err := errors.Join(s.Allow("a", echo, Once), s.Allow("b", echo, Refuse)); err != nil || s.Allowed("a", echo) || s.Allowed("b", echo) {
		t.Error("once is for ever", err)
	}
	if err := s.Allow("a", echo, ForChat); err != nil || !s.Allowed("a", echo) || s.Allowed("b", echo) {
		t.Error("not for this chat alone", err)
	}
	if err := s.Allow("a", echo, Always); err != nil || !s.Allowed("b", echo) {
		t.Error("not always", err)
	}
	again := newService(t, dir)
	if !again.Allowed("c", echo) {
		t.Error("forgotten at the next start")
	}
	changed := echo
	changed.Description = "Says something else."
	if again.Allowed("c", changed) {
		t.Error("another tool under the same name")
	}
	if err := again.Save("test", acted(t, "test", "changed")); err != nil || again.Allowed("c", echo) {
		t.Error("another server", err)
	}
	if info, err := os.Stat(filepath.Join(dir, "tools.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

// TestSave refuses what cannot work.
func TestSave(t *testing.T) {
	s := newService(t, t.TempDir())
	for _, bad := range []Server{
		{},
		{Name: "a"},
		{Name: "a", Command: "x", Address: "http://x"},
		{Name: "a", Command: `"x`},
		{Name: "a", Address: "ftp://x"},
		{Name: "a\u202E", Command: "x"},
		{Name: "a", Command: "x", Extra: []string{"no value"}},
		{Name: strings.Repeat("a", 50), Command: "x"},
	} {
		if s.Save("", bad) == nil {
			t.Error(bad)
		}
	}
	if err := errors.Join(s.Save("", Server{Name: "a", Command: "x"}), s.Save("", Server{Name: "b", Command: `y "1 2" 'a"b' ""`})); err != nil {
		t.Fatal(err)
	}
	if s.Save("", Server{Name: "A", Command: "x"}) == nil || s.Save("a", Server{Name: "b", Command: "x"}) == nil {
		t.Error("two of one name")
	}
	if got, err := words(s.Servers()[1].Command); err != nil || !slices.Equal(got, []string{"y", "1 2", `a"b`, ""}) {
		t.Error(got, err)
	}
	if err := s.Remove("a"); err != nil || len(s.Servers()) != 1 {
		t.Error(err)
	}
}

// TestAddress uses a server over HTTP, with a header; elsewhere only where that is allowed.
func TestAddress(t *testing.T) {
	m := mcp.NewServer(&mcp.Implementation{Name: "web", Version: "1"}, nil)
	type in struct {
		Text string `json:"text"`
	}
	mcp.AddTool(m, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, x in) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: x.Text}}}, nil, nil
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return m }, nil)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer 1=2" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	s := newService(t, t.TempDir())
	net := &network{}
	s.net = net
	server := Server{Name: "web", Address: web.URL + "?secret=1", Extra: []string{"Authorization=Bearer 1=2"}}
	echo := offered(t, s, server)["echo"]
	if r := call(t, s, echo, `{"text":"hi"}`); r.Text != "hi" || r.Failed {
		t.Error(r)
	}
	if r := call(t, s, echo, `{"text":5}`); !r.Failed {
		t.Error(r)
	}
	net.wait(t, func(x hub.Connection) bool {
		return x.URL == web.URL && x.Method == "POST" && x.Token && x.Status == http.StatusOK && x.Bytes > 0 && x.Error == "" && !x.At.IsZero()
	})
	server.Extra = nil
	if _, _, err := s.Try(t.Context(), server); err == nil {
		t.Error("without the header")
	}
	net.wait(t, func(x hub.Connection) bool { return !x.Token && x.Status == http.StatusUnauthorized })
	_ = s.Close()
	time.Sleep(10 * time.Millisecond)
	web.CloseClientConnections()
	web.Close()
	net.offline = true
	if _, _, err := s.Try(t.Context(), Server{Name: "far", Address: "http://192.0.2.1/"}); err == nil || !strings.Contains(err.Error(), "offline") {
		t.Error(err)
	}
}

// TestProxy reaches a server on another computer through the proxy of the settings.
func TestProxy(t *testing.T) {
	var asked atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.String())
		http.Error(w, "no", http.StatusBadGateway)
	}))
	defer proxy.Close()
	s := newService(t, t.TempDir())
	net := &network{proxy: proxy.URL}
	s.net = net
	if _, _, err := s.Try(t.Context(), Server{Name: "far", Address: "http://192.0.2.1/mcp"}); err == nil {
		t.Error("the proxy's refusal is an answer")
	}
	if asked.Load() != "http://192.0.2.1/mcp" {
		t.Errorf("the proxy was asked for %v", asked.Load())
	}
	net.wait(t, func(x hub.Connection) bool {
		return x.Proxy == strings.TrimPrefix(proxy.URL, "http://") && x.Status == http.StatusBadGateway
	})
}

// network is one of which the tests are told.
type network struct {
	proxy   string
	offline bool

	mu   sync.Mutex
	list []hub.Connection
}

func (n *network) Offline() bool { return n.offline }

func (n *network) Network(context.Context) hub.Options {
	return hub.Options{Proxy: n.proxy, OnConnection: func(c hub.Connection) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.list = append(n.list, c)
	}}
}

// wait waits until there was a connection of some kind: a body is closed when it was read.
func (n *network) wait(t *testing.T, kind func(hub.Connection) bool) {
	t.Helper()
	for until := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		n.mu.Lock()
		list := slices.Clone(n.list)
		n.mu.Unlock()
		if slices.ContainsFunc(list, kind) {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("no such connection among %+v", list)
		}
	}
}

// TestNoServerThere: what stands at an address instead of a tool server is told in words, with what
// can be done.
func TestNoServerThere(t *testing.T) {
	s := newService(t, t.TempDir())
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	answers := func(status int, text string) string {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(text))
		}))
		t.Cleanup(web.Close)
		return web.URL
	}
	for address, want := range map[string]string{
		gone.URL:                                  "no program answers at this address; check that it runs, and its port",
		answers(http.StatusUnauthorized, ""):      "it wants a key; write it under Variables",
		answers(http.StatusNotFound, "no page"):   "there is no tool server at this address",
		answers(http.StatusBadGateway, ""):        "it failed with the status 502",
		answers(http.StatusOK, "<html>hi</html>"): "it does not answer as a tool server does",
	} {
		_, _, err := s.Try(t.Context(), Server{Name: "web", Address: address})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("it says %v, want %q", err, want)
		}
	}
}

// TestSchemas leaves out tools that lie about their parameters.
func TestSchemas(t *testing.T) {
	deep := any(map[string]any{})
	for range 40 {
		deep = map[string]any{"properties": deep}
	}
	for i, schema := range []any{nil, "object", []any{}, 5.0, map[string]any{"type": "string"}, deep, map[string]any{"x": strings.Repeat("a", 20<<10)}} {
		if tool, err := toolOf("s", &mcp.Tool{Name: "t", InputSchema: schema}); err == nil {
			t.Error(i, tool)
		}
	}
	tool, err := toolOf("s", &mcp.Tool{Name: "t", Description: strings.Repeat("word ", 1000), InputSchema: map[string]any{"properties": map[string]any{"a": map[string]any{"description": "\u202E"}}}})
	if err != nil || !json.Valid(tool.Parameters) || !strings.Contains(string(tool.Parameters), "⟨U+202E⟩") || len(tool.Description) > 1300 {
		t.Error(tool, err)
	}
	list := []Tool{{Called: "a"}, {Called: "a"}, {Called: "a_2"}, {Called: strings.Repeat("x", 64)}, {Called: strings.Repeat("x", 64)}}
	distinct(list)
	seen := map[string]bool{}
	for _, x := range list {
		if seen[x.Called] || len(x.Called) > maxToolName {
			t.Error(x.Called)
		}
		seen[x.Called] = true
	}
}
