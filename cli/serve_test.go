package cli

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"inglenook/app"
	"inglenook/app/devices"
	"inglenook/app/library"
)

// TestServe starts the server, asks it, and ends it with each signal. SIGTERM is how a service is
// told to stop, so it is a success.
func TestServe(t *testing.T) {
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	for signal, want := range map[syscall.Signal]struct {
		code int
		says string
	}{
		syscall.SIGINT:  {exitInterrupted, "inglenook: interrupted\n"},
		syscall.SIGTERM: {exitOK, "inglenook serve: stopped, as the system asked\n"},
		syscall.SIGHUP:  {exitOK, "inglenook serve: stopped, as the system asked\n"},
	} {
		if !slices.Contains(EndSignals(), os.Signal(signal)) {
			continue // nohup runs the tests
		}
		out, in := io.Pipe()
		code := make(chan int, 1)
		var diagnostics strings.Builder
		home := t.TempDir()
		go func() {
			defer in.Close()
			code <- Run(context.Background(), []string{"serve", "--port", "0", "--json", "--verbose", "--model", "starter-embed"}, IO{Stdin: strings.NewReader(""), Stdout: in, Stderr: &diagnostics}, func(o app.Options) (App, error) {
				o.Home = home
				return app.New(o)
			})
		}()
		lines := bufio.NewScanner(out)
		if !lines.Scan() {
			t.Fatalf("nothing was printed; error output %q", diagnostics.String())
		}
		address := decode[struct{ Listening string }](t, lines.Text()).Listening
		const secret = "what nobody else may read"
		got, err := http.Post(address+"/v1/embeddings", "application/json", strings.NewReader(`{"input":"`+secret+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Data []struct{ Embedding []float32 }
		}
		if err := json.NewDecoder(got.Body).Decode(&answer); err != nil || len(answer.Data) != 1 || len(answer.Data[0].Embedding) == 0 {
			t.Errorf("status %d, %v", got.StatusCode, err)
		}
		got.Body.Close()
		if !lines.Scan() || !strings.Contains(lines.Text(), `"route":"/v1/embeddings"`) || !strings.Contains(lines.Text(), `"model":"starter-embed"`) {
			t.Errorf("told %q", lines.Text())
		}
		http.DefaultClient.CloseIdleConnections()
		if err := syscall.Kill(os.Getpid(), signal); err != nil {
			t.Fatal(err)
		}
		if c := <-code; c != want.code || !strings.HasSuffix(diagnostics.String(), want.says) {
			t.Errorf("%v: code %d, error output %q; want %d, %q", signal, c, diagnostics.String(), want.code, want.says)
		}
		if lines.Scan() || strings.Contains(diagnostics.String(), secret) {
			t.Errorf("also printed %q, error output %q", lines.Text(), diagnostics.String())
		}
		_ = filepath.WalkDir(home, func(path string, _ os.DirEntry, _ error) error {
			if data, err := os.ReadFile(path); err == nil && strings.Contains(string(data), secret) {
				t.Errorf("%s holds the text of a request", path)
			}
			return nil
		})
	}
}

// certificate writes a certificate for 127.0.0.1 with its key.
func certificate(t *testing.T, until time.Time) (cert, key string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: until.Add(-time.Hour), NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	roots = x509.NewCertPool()
	roots.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return cert, key, roots
}

// TestServeEncrypted: with a certificate the connection is encrypted, and whoever does not
// encrypt gets nothing.
func TestServeEncrypted(t *testing.T) {
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	cert, key, roots := certificate(t, time.Now().Add(time.Hour/2))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, in := io.Pipe()
	ended := make(chan int, 1)
	home := t.TempDir()
	go func() {
		defer in.Close()
		ended <- Run(ctx, []string{"serve", "--port", "0", "--json", "--model", "starter-embed", "--cert", cert, "--key", key}, IO{Stdin: strings.NewReader(""), Stdout: in, Stderr: io.Discard}, func(o app.Options) (App, error) {
			o.Home = home
			return app.New(o)
		})
	}()
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("nothing was printed")
	}
	address := decode[struct{ Listening string }](t, lines.Text()).Listening
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	got, err := client.Get(address + "/health")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(got.Body)
	got.Body.Close()
	if !strings.HasPrefix(address, "https://") || got.StatusCode != 200 || !strings.Contains(string(body), "ok") {
		t.Errorf("%s: %d %s", address, got.StatusCode, body)
	}
	if plain, err := http.Get("http" + strings.TrimPrefix(address, "https") + "/health"); err == nil {
		if plain.Body.Close(); plain.StatusCode != 400 {
			t.Errorf("without encryption: %d", plain.StatusCode)
		}
	}
	client.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	cancel()
	<-ended
}

func TestServeRefuses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cert, key, _ := certificate(t, time.Now().Add(time.Hour/2))
	_, otherKey, _ := certificate(t, time.Now().Add(time.Hour/2))
	old, oldKey, _ := certificate(t, time.Now().Add(-time.Hour))
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--port|70000", exitUsage, "--port is 70000"},
		{"--host|", exitUsage, "--host is empty"},
		{"--model|", exitUsage, "it is empty"},
		{"stray", exitUsage, "one argument too many"},
		{"--context|-1", exitUsage, "--context is -1"},
		{"--context|1", exitUsage, "no room for a question and an answer"},
		{"--context|99999999999999999999", exitUsage, "context"},
		{"--parallel|33", exitUsage, "--parallel is 33"},
		{"--port|" + port, exitFailed, "is taken by another program"},
		{"--any-name", exitUsage, "--any-name belongs to --model"},
		{"--alias|chat", exitUsage, "--alias belongs to --model"},
		{"--model|a|--model|b|--alias|c|--alias|c", exitUsage, "two models have the same --alias"},
		{"--tokens", exitFailed, "there is no token yet"},
		{"--host|0.0.0.0", exitFailed, "a token is needed"},
		{"--cors|*", exitFailed, "is not an origin"},
		{"--token-file|" + empty, exitFailed, "holds no token"},
		{"--token-file|" + empty + "x", exitFailed, "cannot be read"},
		{"--cert|" + cert, exitUsage, "belong together"},
		{"--key|" + key, exitUsage, "belong together"},
		{"--cert|" + cert + "|--key|" + otherKey, exitFailed, "cannot be used"},
		{"--cert|" + empty + "|--key|" + key, exitFailed, "cannot be used"},
		{"--cert|" + cert + "x|--key|" + key, exitFailed, "cannot be used"},
		{"--cert|" + old + "|--key|" + oldKey, exitFailed, "renew it"},
		{"--model|nobody/nothing", exitFailed, "nobody/nothing"},
	} {
		o := inglenook(t, "", append([]string{"serve"}, strings.Split(c.args, "|")...)...)
		if o.code != c.code || o.stdout != "" || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%s: code %d, output %q, error output %q", c.args, o.code, o.stdout, o.stderr)
		}
	}
}

// A context that models were not made for is told at the start, once, and only of models that write.
func TestServeShorterContext(t *testing.T) {
	writer := func(name string, limit int) library.Model {
		return library.Model{Name: name, Kind: library.KindChat, Usable: true, MaxLength: limit}
	}
	reader := library.Model{Name: "reader", Kind: library.KindEmbedding, Usable: true, MaxLength: 256}
	broken := library.Model{Name: "broken", Kind: library.KindChat, MaxLength: 256}
	a, b := writer("a", 512), writer("b", 4096)
	for _, c := range []struct {
		context int
		models  []library.Model
		want    string
	}{
		{0, []library.Model{a, b}, ""},
		{512, []library.Model{a, b, reader}, ""},
		{513, []library.Model{a, b, reader, broken, writer("unknown", 0)}, "--context is 513, and these models were made for less, which is what they have: a 512"},
		{1 << 40, []library.Model{a, b}, "--context is 1099511627776, and these models were made for less, which is what they have: a 512, b 4096"},
		{600, []library.Model{a, a, a, a, a, a, a}, "--context is 600, and these models were made for less, which is what they have: a 512, a 512, a 512, a 512, a 512, and 2 others"},
	} {
		s := serveSettings{hold: devices.Hold{Context: c.context}}
		if got := s.shorter(c.models); got != c.want {
			t.Errorf("%d: %q, want %q", c.context, got, c.want)
		}
	}
}
