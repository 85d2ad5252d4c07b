package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"inglenook/hub/fault"
	"inglenook/hub/hubtest"
)

const secret = "hf_plantedTokenOfTheTests"

// quick are the sizes and times of tests: pieces of 64 kB, waits of milliseconds.
func quick() tuning {
	t := defaultTuning()
	t.stall, t.trickle = 400*time.Millisecond, 64
	t.firstWait, t.lastWait, t.longest = time.Millisecond, 20*time.Millisecond, 50*time.Millisecond
	t.piece, t.lag = 64<<10, 128<<10
	t.journal, t.sync, t.beat, t.stale, t.poll = 5*time.Millisecond, 50*time.Millisecond, 20*time.Millisecond, time.Second, 5*time.Millisecond
	t.reserve, t.recheck = 1<<20, 1<<20
	return t
}

// startHub returns a server that ends with the test.
func startHub(t testing.TB) *hubtest.Server {
	t.Helper()
	s := hubtest.New()
	t.Cleanup(s.Close)
	return s
}

// connect returns a client for a server, with the sizes of tests.
func connect(t testing.TB, endpoint string, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{Endpoint: endpoint, Proxy: "direct"}
	for _, f := range change {
		f(&o)
	}
	c, err := NewClient(o)
	if err != nil {
		t.Fatal(err)
	}
	c.tuning = quick()
	t.Cleanup(c.Close)
	return c
}

func withToken(o *Options) { o.Token = secret }

// mustSay fails unless err is of a kind and its sentence has all of the words.
func mustSay(t *testing.T, err, kind error, words ...string) {
	t.Helper()
	if err == nil || !errors.Is(err, kind) {
		t.Fatalf("error %v, wanted one that is %q", err, kind)
	}
	for _, w := range append(words, "") {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\r") || strings.Contains(err.Error(), secret) {
		t.Errorf("%q is no sentence to show", err)
	}
}

var tinyRepo = hubtest.Repo{
	ID: "org/tiny", Task: "text-generation", Tags: []string{"safetensors", "license:mit"}, Downloads: 12, Parameters: 37_500,
	Files: []hubtest.File{
		{Path: "config.json", Data: []byte(`{"model_type":"llama"}`)},
		{Path: "empty.txt"},
		{Path: "model.safetensors", Data: hubtest.Random(150_000, 1), LFS: true},
		{Path: "sub/deeper/vocab.txt", Data: []byte("a\nb\n")},
	},
}

func TestInfo(t *testing.T) {
	s := startHub(t)
	commit := s.Add(tinyRepo)
	s.Branch("org/tiny", "refs/pr/1")
	c := connect(t, s.URL())
	ctx := context.Background()
	for _, revision := range []string{"", "main", commit, "refs/pr/1"} {
		info, err := c.Info(ctx, "org/tiny", revision)
		if err != nil {
			t.Fatal(err)
		}
		if info.Commit != commit || info.Task != "text-generation" || info.License != "mit" || info.Downloads != 12 || len(info.Files) != 4 || info.Author != "org" {
			t.Errorf("%+v", info)
		}
		for i, f := range info.Files {
			if want := tinyRepo.Files[i]; f.Path != want.Path || f.Size != int64(len(want.Data)) || f.Digest() != want.Digest() {
				t.Errorf("%+v", f)
			}
		}
	}
	for i, f := range tinyRepo.Files {
		got, at, err := c.Head(ctx, "org/tiny", "main", f.Path)
		if err != nil || at != commit || got.Digest() != f.Digest() || got.Size != int64(len(f.Data)) {
			t.Errorf("file %d: %+v at %s, %v", i, got, at, err)
		}
	}
	found, err := c.Search(ctx, Query{Text: "TINY", Task: "text-generation", Format: "safetensors"})
	if err != nil || len(found) != 1 || found[0].ID != "org/tiny" || found[0].Parameters != 37_500 {
		t.Errorf("%+v, %v", found, err)
	}
	if found, err = c.Search(ctx, Query{Text: "nothing like it"}); err != nil || len(found) != 0 || found == nil {
		t.Errorf("%+v, %v", found, err)
	}
	s.Old()
	if found, err = c.Search(ctx, Query{Text: "tiny"}); err != nil || len(found) != 1 {
		t.Errorf("an older server: %+v, %v", found, err)
	}
	for _, q := range s.Requests() {
		if q.Encoding != "identity" || q.Authorization != "" {
			t.Errorf("%+v", q)
		}
	}
}

func TestRefusalsAreSentences(t *testing.T) {
	s := startHub(t)
	s.Add(tinyRepo)
	s.Add(hubtest.Repo{ID: "org/gated", Gated: true, Files: tinyRepo.Files})
	s.Add(hubtest.Repo{ID: "org/private", Private: true, Files: tinyRepo.Files})
	ctx := context.Background()
	without, with := connect(t, s.URL()), connect(t, s.URL(), withToken)

	_, err := without.Info(ctx, "org/none", "")
	mustSay(t, err, fault.ErrGated, "org/none", "does not exist, or it is private", "set a token")
	_, err = without.Info(ctx, "org/tiny", "v9")
	mustSay(t, err, fault.ErrNotFound, "org/tiny", `"v9"`)
	_, _, err = without.Head(ctx, "org/tiny", "main", "no.txt")
	mustSay(t, err, fault.ErrNotFound, "no.txt")
	_, _, err = without.Head(ctx, "org/gated", "main", "config.json")
	mustSay(t, err, fault.ErrGated, "accept its terms at "+s.URL()+"/org/gated", "set a token")
	_, _, err = with.Head(ctx, "org/gated", "main", "config.json")
	mustSay(t, err, fault.ErrGated, "may not read it yet", s.URL()+"/org/gated")
	s.Accept(secret)
	if _, _, err = with.Head(ctx, "org/gated", "main", "config.json"); err != nil {
		t.Error(err)
	}
	if _, err = with.Info(ctx, "org/private", ""); err != nil {
		t.Error(err)
	}
	if who, err := with.Test(ctx); err != nil || who != "tester" {
		t.Errorf("%q, %v", who, err)
	}
	if _, err := without.Test(ctx); err != nil {
		t.Error(err)
	}
	_, err = connect(t, s.URL(), func(o *Options) { o.Token = "hf_another" }).Test(ctx)
	mustSay(t, err, fault.ErrGated, "does not accept the token")
	_, err = connect(t, "http://127.0.0.1:1").Info(ctx, "org/tiny", "")
	mustSay(t, err, fault.ErrUnreachable, "127.0.0.1:1", "check the connection")
	for _, o := range []Options{{Endpoint: "ftp://x"}, {Endpoint: "nothing"}, {Endpoint: "http://me:pass@host"}, {Endpoint: "http://h/?q"}, {Token: "two\nlines"}, {Proxy: "no proxy"}, {Proxy: "http://:3128"}, {Proxy: "http://proxy.test:99999"}} {
		if _, err := NewClient(o); err == nil || strings.Contains(err.Error(), "pass@") || strings.Contains(err.Error(), "two") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestAPIFaults(t *testing.T) {
	s := startHub(t)
	s.Add(tinyRepo)
	c := connect(t, s.URL())
	kinds := map[string]error{"closes at once": fault.ErrUnreachable, "429": fault.ErrRateLimited, "500": fault.ErrServer, "404": fault.ErrGated, "401": fault.ErrGated}
	count := 0
	for _, f := range hubtest.Faults() {
		if f.Where != "api" {
			continue
		}
		count++
		t.Run(f.Name, func(t *testing.T) {
			defer s.Misbehave()
			s.Misbehave(f)
			kind, ok := kinds[strings.TrimPrefix(f.Name, "API: ")]
			if !ok {
				kind = fault.ErrProtocol
			}
			if kind == fault.ErrGated && strings.HasSuffix(f.Name, "404") {
				kind = fault.ErrNotFound
			}
			_, err := c.Info(context.Background(), "org/tiny", "")
			mustSay(t, err, kind)
			s.Misbehave()
			if _, err := c.Info(context.Background(), "org/tiny", ""); err != nil {
				t.Error("afterwards:", err)
			}
		})
	}
	if count < 14 {
		t.Errorf("%d faults of the API", count)
	}
}

// A server that hangs holds up neither a caller who cancelled nor one who waits.
func TestCancelAndStall(t *testing.T) {
	s := startHub(t)
	s.Add(tinyRepo)
	hang := hubtest.Named("hangs before the headers")
	hang.Where = "api"
	s.Misbehave(hang)
	c := connect(t, s.URL())
	c.tuning.tries, c.tuning.answer = 1, 300*time.Millisecond
	_, err := c.Info(context.Background(), "org/tiny", "")
	mustSay(t, err, fault.ErrUnreachable, "does not answer")
	c.tuning.answer = time.Hour
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := c.Info(ctx, "org/tiny", ""); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestOfflineSwitch(t *testing.T) {
	s := startHub(t)
	s.Add(tinyRepo)
	c := connect(t, s.URL(), func(o *Options) { o.Offline = true })
	ctx := context.Background()
	_, err := c.Info(ctx, "org/tiny", "")
	mustSay(t, err, fault.ErrOffline, "offline mode is on")
	if n := len(s.Requests()); n != 0 {
		t.Fatalf("%d requests came", n)
	}
	c.SetOffline(false)
	if _, err := c.Info(ctx, "org/tiny", ""); err != nil {
		t.Fatal(err)
	}
	hang := hubtest.Named("hangs before the headers")
	hang.Where = "api"
	s.Misbehave(hang)
	time.AfterFunc(20*time.Millisecond, func() { c.SetOffline(true) })
	_, err = c.Info(ctx, "org/tiny", "")
	mustSay(t, err, fault.ErrOffline)
}

func TestConnectionLog(t *testing.T) {
	s := startHub(t)
	s.Add(tinyRepo)
	s.Accept(secret)
	var mu sync.Mutex
	var log []Connection
	c := connect(t, s.URL(), withToken, func(o *Options) {
		o.OnConnection = func(e Connection) { mu.Lock(); log = append(log, e); mu.Unlock() }
	})
	if _, err := c.Info(context.Background(), "org/tiny", ""); err != nil {
		t.Fatal(err)
	}
	x, err := c.send(context.Background(), http.MethodGet, c.fileURL("org/tiny", "main", "model.safetensors"), nil, false)
	if err != nil {
		t.Fatal(err)
	}
	discard(x.Response)
	mu.Lock()
	defer mu.Unlock()
	if len(log) != 3 || !log[0].Token || log[2].Token || log[1].Status != 302 || log[0].Bytes == 0 || log[0].Duration <= 0 {
		t.Errorf("%+v", log)
	}
	for _, e := range log {
		if strings.ContainsAny(e.URL, "?") || strings.Contains(e.URL+e.Error, "secret") || strings.Contains(e.URL+e.Error, secret) {
			t.Errorf("%+v", e)
		}
	}
}

// A request that its sender stopped is told apart from one that failed.
func TestConnectionStopped(t *testing.T) {
	s := startHub(t)
	s.Add(tinyRepo)
	hang := hubtest.Named("hangs before the headers")
	hang.Where = "api"
	s.Misbehave(hang)
	var mu sync.Mutex
	var log []Connection
	c := connect(t, s.URL(), func(o *Options) {
		o.OnConnection = func(e Connection) { mu.Lock(); log = append(log, e); mu.Unlock() }
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for len(s.Requests()) == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := c.Info(ctx, "org/tiny", ""); err == nil {
		t.Fatal("a request that hangs was answered")
	}
	s.Close()
	if _, err := c.Info(context.Background(), "org/tiny", ""); err == nil {
		t.Fatal("a server that is gone answered")
	}
	mu.Lock()
	defer mu.Unlock()
	if len(log) < 2 || !log[0].Stopped || log[0].Status != 0 || log[len(log)-1].Stopped || log[len(log)-1].Error == "" {
		t.Errorf("%+v", log)
	}
}

// A proxy that cannot be reached, or does not answer, is named instead of the Hub.
func TestProxyIsAway(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	client := connect(t, "http://hub.test", func(o *Options) { o.Proxy = "http://" + address })
	client.tuning.tries, client.tuning.answer = 1, 50*time.Millisecond // nothing is accepted, so any time passes
	_, err = client.Test(context.Background())
	mustSay(t, err, fault.ErrUnreachable, "no answer of hub.test came through the proxy "+address)
	l.Close()
	_, err = client.Test(context.Background())
	mustSay(t, err, fault.ErrUnreachable, "the proxy "+address+" cannot be reached: no program answers there; check the address of the proxy")
}

// Why there is no connection is said in words; what the system said stays beside the sentence.
func TestNoConnectionInWords(t *testing.T) {
	for want, err := range map[string]error{
		"no computer of this name was found":                   &net.DNSError{Err: "no such host", Name: "hub.test"},
		"no computer of the name proxy.test was found":         &net.DNSError{Err: "no such host", Name: "proxy.test"},
		"no program answers there":                             &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED},
		"there is no way to its network":                       &net.OpError{Op: "dial", Net: "tcp", Err: syscall.EHOSTUNREACH},
		"its certificate is not one that this computer trusts": &tls.CertificateVerificationError{Err: errors.New("x509: unknown authority")},
		"it does not encrypt":                                  tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"},
		"it did not answer in time":                            &net.OpError{Op: "dial", Net: "tcp", Err: os.ErrDeadlineExceeded},
		"":                                                     errors.New("EOF"),
	} {
		if got := noConnection("hub.test", err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
	if got := noConnection("huggingface.co", &net.DNSError{Err: "no such host", Name: "huggingface.co"}); got != "this computer seems to be without internet" {
		t.Errorf("the usual store is not found: %q", got)
	}
	server := startHub(t)
	client := connect(t, server.URL(), withToken)
	server.Close()
	_, err := client.Test(context.Background())
	mustSay(t, err, fault.ErrUnreachable, "cannot be reached: no program answers there; check the connection, the proxy and the model store address")
	var f *fault.Error
	if !errors.As(err, &f) || !strings.Contains(f.Detail, "refused") || strings.Contains(err.Error(), "dial tcp") {
		t.Errorf("%v; the system said %q", err, f.Detail)
	}
}
