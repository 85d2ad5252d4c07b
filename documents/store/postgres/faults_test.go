package postgres

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/documents"
	"inglenook/documents/store"
	"inglenook/documents/store/postgres/postgrestest"
)

// pretender is an address where do talks to whoever connects.
func pretender(t *testing.T, do func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				do(c)
			}()
		}
	}()
	return l.Addr().String()
}

// What cannot be opened is explained in a sentence without the password.
func TestCannotOpen(t *testing.T) {
	certificates := httptest.NewTLSServer(nil) // for its certificate, which nobody trusts
	defer certificates.Close()
	foreign := pretender(t, func(c net.Conn) {
		_, _ = io.ReadFull(c, make([]byte, 8)) // may this be encrypted?
		_, _ = c.Write([]byte("S"))
		_ = tls.Server(c, certificates.TLS).Handshake()
	})
	page := pretender(t, func(c net.Conn) {
		_, _ = io.ReadFull(c, make([]byte, 8))
		fmt.Fprint(c, "HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>no</html>")
	})
	silent := pretender(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	hangsUp := pretender(t, func(net.Conn) {})
	for address, want := range map[string]string{
		"postgres://me:geheim@127.0.0.1:1/x":                         "cannot be reached",
		"postgres://me:geheim@no-such-host.invalid/x":                "no computer of that name",
		"postgres://me:geheim@[/x":                                   "cannot be read",
		"postgres://me:geheim@" + foreign + "/x?sslmode=verify-full": "from an authority",
		"postgres://me:geheim@" + foreign + "/x?sslmode=verify-full&sslrootcert=" + t.TempDir() + "/none.pem": "/none.pem\", which the address of the database names",
		"postgres://me:geheim@" + foreign + "/x?sslmode=verify-full&sslrootcert=faults_test.go":               "holds no certificate",
		"postgres://me:geheim@" + foreign + "/x?sslmode=strict":                                               "sslmode in the address",
		"postgres://me:geheim@" + page + "/x?sslmode=disable":                                                 "cannot be reached",
		"postgres://me:geheim@" + page + "/x?sslmode=require":                                                 "does not encrypt",
		"postgres://me:geheim@" + silent + "/x?connect_timeout=1":                                             "in time",
		"postgres://me:geheim@" + hangsUp + "/x?sslmode=disable":                                              "cannot be reached",
	} {
		_, err := Open(t.Context(), address)
		if err == nil || strings.Contains(err.Error(), "geheim") || !strings.Contains(err.Error(), "; ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", address, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := Open(ctx, "postgres://me@"+silent+"/x"); err == nil || time.Since(start) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// A user without any right to the collections is told so.
func TestNoRight(t *testing.T) {
	address := postgrestest.Database(t)
	must(t, open(t, address).migrate(t.Context()))
	role := fmt.Sprintf("nobody_%d", time.Now().UnixNano())
	postgrestest.Do(t, address, "CREATE ROLE "+role+" LOGIN PASSWORD 'x'")
	defer postgrestest.Do(t, address, "DROP ROLE "+role)
	u, err := url.Parse(address)
	must(t, err)
	u.User = url.UserPassword(role, "x")
	if _, err := Open(t.Context(), u.String()); !errors.Is(err, ErrNoRight) {
		t.Error(err)
	}
}

// A database of a newer schema stays as it is.
func TestNewer(t *testing.T) {
	address := postgrestest.Database(t)
	must(t, open(t, address).migrate(t.Context()))
	postgrestest.Do(t, address, "UPDATE inglenook.version SET version = 1000")
	if _, err := Open(context.Background(), address); !errors.Is(err, ErrNewer) {
		t.Error(err)
	}
}

// A database of an older schema is brought up to date by its owner, and used as it is by others.
func TestOlder(t *testing.T) {
	address := postgrestest.Database(t)
	must(t, open(t, address).migrate(t.Context()))
	postgrestest.Do(t, address, "UPDATE inglenook.version SET version = 1")
	reader, end := reader(t, address)
	defer end()
	if s := open(t, reader); !s.ReadOnly() {
		t.Error("a reader may write")
	}
	s := open(t, address)
	if v, err := version(t.Context(), s.pool); err != nil || v != len(migrations) {
		t.Errorf("version %d, %v", v, err)
	}
}

// A server that cannot make the extension is left as it was.
func TestNoExtension(t *testing.T) {
	address := postgrestest.Database(t)
	postgrestest.Do(t, address, `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not open extension control file'; END $$;
		CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE EXTENSION') EXECUTE FUNCTION refuse()`)
	s := open(t, address)
	if _, err := s.Create(t.Context(), "x"); !errors.Is(err, ErrExtension) {
		t.Error(err)
	}
	postgrestest.Do(t, address, "DROP EVENT TRIGGER refuse")
	_, err := s.Create(t.Context(), "x")
	must(t, err)
}

// Looking for collections makes nothing in a database. What another process sets up is seen.
func TestLookingMakesNothing(t *testing.T) {
	address := postgrestest.Database(t)
	s, other := open(t, address), open(t, address)
	for range 2 {
		if all, err := s.Collections(t.Context()); err != nil || len(all) > 0 || s.ReadOnly() {
			t.Errorf("%v, %v, read-only %v", all, err, s.ReadOnly())
		}
		if _, err := s.Collection(t.Context(), "x"); !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
		if err := s.Remove(t.Context(), "x"); !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
	}
	var there bool
	must(t, s.pool.QueryRow(t.Context(), "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'inglenook') OR EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'vector')").Scan(&there))
	if there {
		t.Error("something was made")
	}
	c, err := other.Create(t.Context(), "x")
	must(t, err)
	if all, err := s.Collections(t.Context()); err != nil || len(all) != 1 || all[0].ID() != c.ID() {
		t.Errorf("%v, %v", all, err)
	}
	_, err = s.Create(t.Context(), "y")
	must(t, err)
}

// A database that takes no changes is searched, and says why it is not changed.
func TestReadOnlyDatabase(t *testing.T) {
	address := postgrestest.Database(t)
	c, err := open(t, address).Create(t.Context(), "x")
	must(t, err)
	must(t, c.Begin(t.Context(), "a", 3))
	u, err := url.Parse(address)
	must(t, err)
	postgrestest.Do(t, address, "ALTER DATABASE "+strings.TrimPrefix(u.Path, "/")+" SET default_transaction_read_only = on")
	s := open(t, address)
	c, err = s.Collection(t.Context(), c.ID())
	must(t, err)
	if _, err := c.Nearest(t.Context(), "a", []float32{1, 0, 0}, 3, store.Filter{}); err != nil || !s.ReadOnly() {
		t.Errorf("%v, read-only %v", err, s.ReadOnly())
	}
	if err := putOne(t.Context(), c, "/a"); !errors.Is(err, store.ErrReadOnly) {
		t.Error(err)
	}
	must(t, store.Improve(t.Context(), c, func() { t.Error("it is improved") }))
	postgrestest.Do(t, strings.Replace(address, u.Path, "/postgres", 1), "ALTER DATABASE "+strings.TrimPrefix(u.Path, "/")+" RESET default_transaction_read_only")
}

func putOne(ctx context.Context, c store.Collection, path string) error {
	return c.Put(ctx, store.File{Path: path, Hash: path, Format: "text"}, []documents.Chunk{{Text: "one"}, {Text: "two"}}, map[string][][]float32{"a": {{1, 0, 0}, {0, 1, 0}}})
}

// A file of which a part cannot be kept is not kept at all, and the sentence says why.
func TestRefusedWrites(t *testing.T) {
	for name, c := range map[string]struct{ does, want string }{
		"full": {"RAISE EXCEPTION USING ERRCODE = 'disk_full'", store.ErrDiskFull.Error()},
		"slow": {"PERFORM pg_sleep(60)", "took too long; "},
		"stop": {"PERFORM pg_terminate_backend(pg_backend_pid())", "stopping or starting; "},
	} {
		t.Run(name, func(t *testing.T) {
			address := postgrestest.Database(t)
			s := open(t, address)
			made, err := s.Create(t.Context(), "x")
			must(t, err)
			must(t, made.Begin(t.Context(), "a", 3))
			must(t, putOne(t.Context(), made, "/before"))
			if name == "slow" {
				u, err := url.Parse(address)
				must(t, err)
				postgrestest.Do(t, address, "ALTER DATABASE "+strings.TrimPrefix(u.Path, "/")+" SET statement_timeout = '2s'")
				s = open(t, address) // for which that holds
				made, err = s.Collection(t.Context(), made.ID())
				must(t, err)
			}
			postgrestest.Do(t, address, `CREATE FUNCTION inglenook.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN `+c.does+`; RETURN NEW; END $$;
				CREATE TRIGGER refuse BEFORE INSERT ON inglenook.passages FOR EACH ROW WHEN (NEW.place = 1) EXECUTE FUNCTION inglenook.refuse()`)
			err = putOne(t.Context(), made, "/after")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			postgrestest.Do(t, address, "DROP TRIGGER refuse ON inglenook.passages")
			got, err := made.Summary(t.Context())
			if err != nil || got.Files[store.Indexed] != 1 || got.Passages != 2 {
				t.Errorf("%+v, %v", got, err)
			}
			must(t, putOne(t.Context(), made, "/after"))
		})
	}
}

// A server that goes away in mid-work is named in a sentence, and used again once it is back.
func TestGone(t *testing.T) {
	address := postgrestest.Database(t)
	u, err := url.Parse(address)
	must(t, err)
	way := &wire{to: u.Host}
	u.Host = pretender(t, way.pass)
	s := open(t, u.String())
	c, err := s.Create(t.Context(), "x")
	must(t, err)
	must(t, c.Begin(t.Context(), "a", 3))
	must(t, putOne(t.Context(), c, "/a"))
	way.cut(true)
	for range 3 {
		_, err = c.Nearest(t.Context(), "a", []float32{1, 0, 0}, 3, store.Filter{})
		if err == nil || !strings.Contains(err.Error(), "; ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v", err)
		}
	}
	way.cut(false)
	for try := 0; ; try++ { // connections that are dead are found one by one
		hits, err := c.Nearest(t.Context(), "a", []float32{1, 0, 0}, 3, store.Filter{})
		if err == nil && len(hits) == 2 {
			break
		}
		if try > 10 {
			t.Fatalf("%d hits, %v", len(hits), err)
		}
	}
}

// wire passes bytes on to a server until it is cut.
type wire struct {
	to string

	mu   sync.Mutex
	dead bool
	open []net.Conn
}

func (p *wire) pass(c net.Conn) {
	p.mu.Lock()
	dead := p.dead
	p.mu.Unlock()
	if dead {
		return
	}
	server, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	p.open = append(p.open, c, server)
	p.mu.Unlock()
	go func() {
		_, _ = io.Copy(server, c)
		server.Close()
	}()
	_, _ = io.Copy(c, server)
}

// cut ends all connections and refuses new ones, until it is told otherwise.
func (p *wire) cut(dead bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = dead
	for _, c := range p.open {
		c.Close()
	}
	p.open = nil
}
