package cli

import (
	"strings"
	"testing"

	"inglenook/documents/store/postgres/postgrestest"
)

// TestIndexInDatabase: two computers index and search the collection of one database.
func TestIndexInDatabase(t *testing.T) {
	store := postgrestest.Database(t)
	first, dir := inOneHome(t), letters(t)
	if ran := first("index", dir, "--store", store); ran.code != 0 || !strings.Contains(ran.stdout, "Documents: 2 read, 1 without text to index.") {
		t.Fatalf("code %d, output %q, error output %q", ran.code, ran.stdout, ran.stderr)
	}
	if here := first("collections", "list").ok(t).stdout; !strings.Contains(here, "Nothing is indexed yet") {
		t.Errorf("on this computer: %q", here)
	}
	second, more := inOneHome(t), letters(t)
	if ran := second("index", more, "--store", store); ran.code != 0 || !strings.Contains(ran.stdout, "2 known already by their content") {
		t.Errorf("copies on the second computer: %q, %q", ran.stdout, ran.stderr)
	}
	found := decode[searchJSON](t, second("search", "--json", "--store", store, "--top", "1", "how long before moving out must I tell the landlord").ok(t).stdout)
	if len(found.Results) != 1 || !strings.Contains(found.Results[0].Text, "sixty days") || len(found.Results[0].Also) != 1 {
		t.Errorf("%+v", found)
	}
	second("collections", "remove", "Documents", "--store", store).ok(t)
	if left := first("collections", "list", "--store", store).ok(t).stdout; !strings.Contains(left, "Nothing is indexed yet") {
		t.Errorf("after it was removed: %q", left)
	}
}

// TestStoreAddress: an address that does not fit, or where nothing listens, is told without its password.
func TestStoreAddress(t *testing.T) {
	run := inOneHome(t)
	for address, code := range map[string]int{"mysql://me:geheim@localhost/x": exitUsage, "postgres://me:geheim@127.0.0.1:1/x": exitFailed, "postgres://me:geheim@[": exitFailed} {
		got := run("search", "--verbose", "--store", address, "boat")
		if got.code != code || strings.Contains(got.stdout+got.stderr, "geheim") || !strings.Contains(got.stderr, "database") {
			t.Errorf("%s: code %d, %q", address, got.code, got.stderr)
		}
	}
}
