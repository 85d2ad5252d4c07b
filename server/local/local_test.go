package local

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inglenook/app"
	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a server over the real application, at a free port.
func started(t *testing.T) (*Server, *app.App) {
	t.Helper()
	a, err := app.New(app.Options{Home: apptest.Home(t), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := New(a)
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		s.Stop()
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err := s.Change(func(o *base.ServerSettings) { o.Port = freePort(t) }); err != nil {
		t.Fatal(err)
	}
	return s, a
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func ask(t *testing.T, url, token string) (int, string) {
	t.Helper()
	q, err := http.NewRequest(http.MethodPost, url+"/v1/embeddings", strings.NewReader(`{"model":"starter-embed","input":"a cat"}`))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("User-Agent", "Editor/1.2 (a\u202e secret)")
	if token != "" {
		q.Header.Set("Authorization", "Bearer "+token)
	}
	q.Close = true // else a connection to a server that began again may be dead
	got, err := http.DefaultClient.Do(q)
	if err != nil {
		return 0, err.Error()
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, string(data)
}

// The server answers while it is on, says who asked and what ran, and says why it cannot
// be switched on.
func TestSwitch(t *testing.T) {
	s, _ := started(t)
	var told atomic.Int32
	s.Changed(func() { told.Add(1) })
	off := s.State()
	if off.On || off.Problem != "" || !strings.HasPrefix(off.Address, "http://127.0.0.1:") {
		t.Fatalf("%+v", off)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil { // is on already
		t.Fatal(err)
	}
	on := s.State()
	if !on.On || on.Address != off.Address {
		t.Fatalf("%+v", on)
	}
	if status, body := ask(t, on.Address, ""); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	for end := time.Now().Add(5 * time.Second); len(s.State().Recent) == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	st := s.State()
	if len(st.Clients) != 1 || st.Clients[0].Name != "Editor/1.2" || st.Clients[0].Requests != 1 || st.Clients[0].Active != 0 || st.Clients[0].Address != "127.0.0.1" {
		t.Errorf("%+v", st.Clients)
	}
	if len(st.Recent) != 1 || st.Recent[0].Model != "starter-embed" || st.Recent[0].Device != "cpu" || st.Recent[0].Status != 200 || len(st.Active) != 0 {
		t.Errorf("%+v", st.Recent)
	}
	if told.Load() < 3 {
		t.Errorf("%d changes were told", told.Load())
	}
	second := New(s.app)
	if err := second.Start(); err == nil || !strings.Contains(err.Error(), "is taken by another program") || second.State().Problem != err.Error() {
		t.Errorf("%v, %+v", err, second.State())
	}
	s.Stop()
	s.Stop()
	if status, _ := ask(t, on.Address, ""); status != 0 || s.State().On {
		t.Errorf("it answers with %d after its end", status)
	}
	if err := second.Start(); err != nil {
		t.Errorf("the port is not free again: %v", err)
	}
	second.Stop()
}

// Where a token is asked for, one that is removed lets nobody in from then on. Other
// computers may ask with tokens alone.
func TestTokens(t *testing.T) {
	s, a := started(t)
	if err := s.Change(func(o *base.ServerSettings) { o.Tokens = true }); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err == nil || !strings.Contains(err.Error(), "there is no token yet") {
		t.Fatalf("it started without one: %v", err)
	}
	secret, err := a.Tokens().Add("editor")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	url := s.State().Address
	if status, _ := ask(t, url, ""); status != 401 {
		t.Errorf("%d without a token", status)
	}
	for _, wide := range []bool{true, false} {
		if err := s.Change(func(o *base.ServerSettings) { o.Network = wide }); err != nil {
			t.Fatal(err)
		}
	}
	if list := s.State().Clients; len(list) != 1 || list[0].Requests != 0 || list[0].Refused != 1 {
		t.Errorf("after the refusal, and a new beginning: %+v", list)
	}
	if status, _ := ask(t, url, secret); status != 200 {
		t.Errorf("%d with it", status)
	}
	if c := s.State().Clients; !slices.ContainsFunc(c, func(x server.Client) bool { return x.Token == "editor" && x.Requests == 1 }) {
		t.Errorf("%+v", c)
	}
	if err := a.Tokens().Remove("editor"); err != nil {
		t.Fatal(err)
	}
	if status, _ := ask(t, url, secret); status != 401 {
		t.Errorf("%d with one that was removed", status)
	}
	if err := s.Change(func(o *base.ServerSettings) { o.Tokens, o.Network = false, true }); err == nil || s.State().On {
		t.Errorf("others may ask without a token: %v", err)
	}
	if secret, err = a.Tokens().Add("laptop"); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	local := "http://127.0.0.1:" + strconv.Itoa(s.Settings().Port)
	if without, _ := ask(t, local, ""); without != 401 {
		t.Errorf("%d without a token", without)
	}
	if with, _ := ask(t, local, secret); with != 200 {
		t.Errorf("%d with it", with)
	}
	if err := s.Change(func(o *base.ServerSettings) { o.Network = false }); err != nil || !s.State().On {
		t.Errorf("%v", err)
	}
	if without, _ := ask(t, local, ""); without != 200 {
		t.Errorf("%d for this computer", without)
	}
}
