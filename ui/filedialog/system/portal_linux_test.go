package system

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// long is more patience than any test needs, short is soon over.
const long, short = time.Minute, 100 * time.Millisecond

// privateBus starts a bus of its own and returns its address.
func privateBus(t *testing.T) string {
	t.Helper()
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("there is no dbus-daemon")
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "bus.conf")
	text := `<busconfig><type>session</type><listen>unix:dir=` + dir + `</listen>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>`
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(daemon, "--config-file="+config, "--nofork", "--print-address=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("the bus says nothing:", err)
	}
	return strings.TrimSpace(address)
}

// at returns what connects to a bus.
func at(address string) func(...dbus.ConnOption) (*dbus.Conn, error) {
	return func(o ...dbus.ConnOption) (*dbus.Conn, error) { return dbus.Dial(address, o...) }
}

// fake is a portal that does what a test says.
type fake struct {
	conn    *dbus.Conn
	version uint32
	reply   func(handle dbus.ObjectPath) (dbus.ObjectPath, *dbus.Error) // to the call, after the request was noted
	bodies  [][]any                                                     // of answers, sent before the reply

	mu      sync.Mutex
	method  string
	parent  string
	options map[string]dbus.Variant
	asked   chan dbus.ObjectPath
	closed  chan struct{}
}

func (f *fake) OpenFile(sender dbus.Sender, parent, _ string, o map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return f.show("OpenFile", sender, parent, o)
}

func (f *fake) SaveFile(sender dbus.Sender, parent, _ string, o map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	return f.show("SaveFile", sender, parent, o)
}

func (f *fake) show(method string, sender dbus.Sender, parent string, o map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	f.mu.Lock()
	f.method, f.parent, f.options = method, parent, o
	f.mu.Unlock()
	token, _ := o["handle_token"].Value().(string)
	handle := portalPath + dbus.ObjectPath("/request/"+strings.ReplaceAll(strings.TrimPrefix(string(sender), ":"), ".", "_")+"/"+token)
	_ = f.conn.Export(closer{f.closed}, handle, requestName)
	for _, body := range f.bodies {
		_ = f.conn.Emit(handle, responseName, body...)
	}
	f.asked <- handle
	if f.reply != nil {
		return f.reply(handle)
	}
	return handle, nil
}

// Get answers questions about properties.
func (f *fake) Get(string, string) (dbus.Variant, *dbus.Error) {
	return dbus.MakeVariant(f.version), nil
}

// closer is the request that can be closed.
type closer struct{ closed chan struct{} }

func (c closer) Close() *dbus.Error { c.closed <- struct{}{}; return nil }

// newFake puts a portal on a bus.
func newFake(t *testing.T, address string, f *fake) *fake {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	f.conn, f.asked, f.closed = conn, make(chan dbus.ObjectPath, 1), make(chan struct{}, 1)
	if f.version == 0 {
		f.version = 4
	}
	_ = conn.Export(f, portalPath, chooserName)
	_ = conn.Export(f, portalPath, "org.freedesktop.DBus.Properties")
	if r, err := conn.RequestName(portalName, dbus.NameFlagDoNotQueue); err != nil || r != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(r, err)
	}
	return f
}

// chosen is the body of an answer.
func chosen(uris ...string) []any {
	return []any{uint32(0), map[string]dbus.Variant{"uris": dbus.MakeVariant(uris)}}
}

func TestPortalAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		body []any
		path string
		none bool // no dialog was shown
		fail bool
	}{
		"a file":              {chosen("file:///home/me/model.gguf"), "/home/me/model.gguf", false, false},
		"odd characters":      {chosen("file:///home/%C3%A4%20b+c%23/100%25.txt"), "/home/ä b+c#/100%.txt", false, false},
		"of localhost":        {chosen("file://localhost/a"), "/a", false, false},
		"the first of two":    {chosen("file:///a", "file:///b"), "/a", false, false},
		"nothing":             {[]any{uint32(1), map[string]dbus.Variant{}}, "", false, false},
		"could not be shown":  {[]any{uint32(2), map[string]dbus.Variant{}}, "", true, false},
		"on a server":         {chosen("smb://server/a"), "", false, true},
		"on another computer": {chosen("file://server/a"), "", false, true},
		"not an address":      {chosen("%zz"), "", false, true},
		"not absolute":        {chosen("file:a"), "", false, true},
		"with a NUL":          {chosen("file:///a%00b"), "", false, true},
		"no file at all":      {chosen(), "", false, true},
		"no list":             {[]any{uint32(0), map[string]dbus.Variant{"uris": dbus.MakeVariant("file:///a")}}, "", false, true},
		"no results":          {[]any{uint32(0), map[string]dbus.Variant{}}, "", false, true},
		"other types":         {[]any{"0", []string{"file:///a"}}, "", false, true},
		"too short":           {[]any{uint32(0)}, "", false, true},
		"empty":               {[]any{}, "", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			address := privateBus(t)
			newFake(t, address, &fake{bodies: [][]any{c.body}})
			paths, err := portal{at(address), long}.Choose(t.Context(), Ask{Kind: File})
			got := strings.Join(paths, "|")
			if got != c.path || errors.Is(err, ErrNone) != c.none || (err != nil) != (c.none || c.fail) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// Several files come together, or none of them.
func TestPortalGivesSeveralFiles(t *testing.T) {
	for want, uris := range map[string][]string{"/a|/b c": {"file:///a", "file:///b%20c"}, "": {"file:///a", "smb://server/b"}} {
		address := privateBus(t)
		newFake(t, address, &fake{bodies: [][]any{chosen(uris...)}})
		got, err := portal{at(address), long}.Choose(t.Context(), Ask{Kind: Files})
		if strings.Join(got, "|") != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v", uris, got, err)
		}
	}
}

// What is asked reaches the portal.
func TestPortalIsAsked(t *testing.T) {
	address := privateBus(t)
	f := newFake(t, address, &fake{bodies: [][]any{chosen("file:///a")}})
	p := portal{at(address), long}
	for _, a := range []Ask{
		{Kind: File, Window: "x11:2a", Extensions: []string{".gguf", ".7z"}},
		{Kind: Folder, Window: "x11:2a"},
		{Kind: Files, Window: "x11:2a"},
		{Kind: Save, Window: "x11:2a", Name: "similarity.csv"},
	} {
		if _, err := p.Choose(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		<-f.asked
		f.mu.Lock()
		options := f.options
		method := map[Kind]string{File: "OpenFile", Files: "OpenFile", Folder: "OpenFile", Save: "SaveFile"}[a.Kind]
		if f.method != method || f.parent != "x11:2a" || (options["directory"].Value() == true) != (a.Kind == Folder) || (options["multiple"].Value() == true) != (a.Kind == Files) {
			t.Errorf("%+v: %s with %v over %q", a, f.method, options, f.parent)
		}
		if a.Kind == Save && options["current_name"].Value() != "similarity.csv" {
			t.Errorf("the name is %v", options["current_name"])
		}
		text := fmt.Sprint(options["filters"].Value())
		if a.Kind == File && (!strings.Contains(text, "*.[gG][gG][uU][fF]") || !strings.Contains(text, "*.7[zZ]") || !strings.Contains(text, "All files")) {
			t.Errorf("the filters are %s", text)
		}
		f.mu.Unlock()
	}
}

// Each way in which no dialog is shown leads to the next one: no bus, a bus that says
// nothing, no portal, an old one, one that refuses, says nothing, or goes away.
func TestNoPortal(t *testing.T) {
	silent, err := net.Listen("unix", filepath.Join(t.TempDir(), "silent"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	alone := privateBus(t)
	old, refuses, says, leaves := privateBus(t), privateBus(t), privateBus(t), privateBus(t)
	newFake(t, old, &fake{version: 2})
	newFake(t, refuses, &fake{reply: func(dbus.ObjectPath) (dbus.ObjectPath, *dbus.Error) {
		return "", dbus.MakeFailedError(errors.New("no backend"))
	}})
	free := make(chan struct{})
	t.Cleanup(func() { close(free) })
	newFake(t, says, &fake{reply: func(h dbus.ObjectPath) (dbus.ObjectPath, *dbus.Error) { <-free; return h, nil }})
	gone := newFake(t, leaves, &fake{})
	go func() {
		<-gone.asked
		time.Sleep(20 * time.Millisecond) // after the reply
		gone.conn.Close()
	}()
	for name, c := range map[string]struct {
		p    portal
		kind Kind
	}{
		"no address":              {portal{at(""), long}, File},
		"no such socket":          {portal{at("unix:path=" + filepath.Join(t.TempDir(), "none")), long}, File},
		"a bus that says nothing": {portal{at("unix:path=" + silent.Addr().String()), short}, File},
		"no portal":               {portal{at(alone), long}, File},
		"no portal for folders":   {portal{at(alone), long}, Folder},
		"an old portal":           {portal{at(old), long}, Folder},
		"refuses":                 {portal{at(refuses), long}, File},
		"says nothing":            {portal{at(says), short}, Save},
		"goes away":               {portal{at(leaves), long}, File},
	} {
		if got, err := c.p.Choose(t.Context(), Ask{Kind: c.kind}); got != nil || !errors.Is(err, ErrNone) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// The end of the window closes the dialog, before and after it is shown.
func TestPortalIsCancelled(t *testing.T) {
	address := privateBus(t)
	f := newFake(t, address, &fake{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-f.asked
		time.Sleep(20 * time.Millisecond) // after the reply
		cancel()
	}()
	if got, err := (portal{at(address), long}).Choose(ctx, Ask{Kind: File}); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v", got, err)
	}
	<-f.closed
	if got, err := (portal{at(address), long}).Choose(ctx, Ask{Kind: File}); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %q, %v", got, err)
	}
}

// A portal that names requests in its own way is understood.
func TestPortalOfItsOwnNames(t *testing.T) {
	address := privateBus(t)
	f := &fake{}
	f.reply = func(dbus.ObjectPath) (dbus.ObjectPath, *dbus.Error) {
		return "/org/freedesktop/portal/desktop/request/old", nil
	}
	newFake(t, address, f)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-f.asked
		for ctx.Err() == nil { // until somebody listens
			_ = f.conn.Emit("/org/freedesktop/portal/desktop/request/old", responseName, chosen("file:///a")...)
			time.Sleep(time.Millisecond)
		}
	}()
	got, err := portal{at(address), long}.Choose(t.Context(), Ask{Kind: File})
	cancel()
	<-done
	if !slices.Equal(got, []string{"/a"}) || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
