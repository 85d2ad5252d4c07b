package postgres

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"inglenook/documents/store/postgres/postgrestest"
)

// A content is claimed by one process, until that gives it back or ends.
func TestClaims(t *testing.T) {
	ctx := t.Context()
	address := postgrestest.Database(t)
	made, err := open(t, address).Create(ctx, "team")
	must(t, err)
	c, err := open(t, address).Collection(ctx, made.ID())
	must(t, err)
	here, there := made.(*Collection).Claims().(*claims), c.(*Collection).Claims()
	defer here.Close()
	defer there.Close()
	want := func(content string, wanted bool) {
		t.Helper()
		if got, err := there.Take(ctx, content); got != wanted || err != nil {
			t.Errorf("%s: %v, %v", content, got, err)
		}
	}
	for _, content := range []string{"a", "b", "c"} {
		if mine, err := here.Take(ctx, content); !mine || err != nil {
			t.Fatalf("%s: %v, %v", content, mine, err)
		}
	}
	want("a", false)
	there.Give(ctx, "a") // it is not its own
	want("a", false)
	here.Give(ctx, "a")
	want("a", true)
	want("b", false)
	want("d", true)
	other, err := made.(*Collection).store.Create(ctx, "another")
	must(t, err)
	elsewhere := other.(*Collection).Claims()
	defer elsewhere.Close()
	if mine, err := elsewhere.Take(ctx, "b"); !mine || err != nil {
		t.Errorf("in another collection: %v, %v", mine, err)
	}

	// The connection breaks off: what it held is free, and the next claim connects anew.
	var pid int
	must(t, here.conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid))
	postgrestest.Do(t, address, fmt.Sprintf("SELECT pg_terminate_backend(%d, 10000)", pid))
	want("b", true)
	here.Give(ctx, "c") // finds the connection broken
	if mine, err := here.Take(ctx, "e"); !mine || err != nil {
		t.Errorf("after the connection broke off: %v, %v", mine, err)
	}
	want("e", false)
	here.Close()
	for range 400 { // the server notices that a client is gone in a moment
		if mine, _ := there.Take(ctx, "e"); mine {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("a claim outlives its process")
}

// A process has so many claims at most, and waits for one of its own to be given back.
func TestMostClaims(t *testing.T) {
	made, err := open(t, postgrestest.Database(t)).Create(t.Context(), "team")
	must(t, err)
	c := made.(*Collection).Claims()
	defer c.Close()
	for i := range mostClaims {
		if mine, err := c.Take(t.Context(), fmt.Sprint(i)); !mine || err != nil {
			t.Fatal(mine, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Take(ctx, "more"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one claim too many: %v", err)
	}
	c.Give(t.Context(), "7")
	if mine, err := c.Take(t.Context(), "more"); !mine || err != nil {
		t.Error(mine, err)
	}
}
