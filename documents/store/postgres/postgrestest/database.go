// Package postgrestest makes databases on a PostgreSQL server, for tests.
package postgrestest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Variable is the environment variable with the address of a server with pgvector, whose
// user may make databases and roles. Without it these tests are skipped.
const Variable = "INGLENOOK_TEST_POSTGRES"

// Server returns the address of the server, or skips the test.
func Server(t testing.TB) string {
	t.Helper()
	address := os.Getenv(Variable)
	if address == "" {
		t.Skip("set " + Variable + " to the address of a PostgreSQL server with pgvector to run this")
	}
	return address
}

// Database makes a database that ends with the test and returns its address.
func Database(t testing.TB) string {
	t.Helper()
	address := Server(t)
	name := fmt.Sprintf("inglenook_test_%d", time.Now().UnixNano())
	Do(t, address, "CREATE DATABASE "+name)
	t.Cleanup(func() { Do(t, address, "DROP DATABASE "+name+" WITH (FORCE)") })
	return Named(t, name)
}

// Named is the address of a database of the server.
func Named(t testing.TB, name string) string {
	t.Helper()
	u, err := url.Parse(Server(t))
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

// Do runs statements on a connection of its own.
func Do(t testing.TB, address, statements string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, address)
	if err == nil {
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, statements)
	}
	if err != nil {
		t.Fatal(err)
	}
}
