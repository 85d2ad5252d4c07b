package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"inglenook/documents/store"
)

const (
	databaseName = "index.db"
	damagedName  = "damaged" // a file of this name: damage was met while the program ran
	asideName    = "damaged-index"
)

// connect opens the database in a folder with at most the given number of
// connections, 0 for any.
func connect(dir string, connections int, more string) (*sql.DB, error) {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, databaseName))}
	db, err := sql.Open("sqlite", u.String()+"?_txlock=immediate"+
		"&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)"+
		"&_pragma=foreign_keys(1)&_pragma=cache_size(-8000)&_pragma=journal_size_limit(67108864)"+more)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(4)
	return db, nil
}

var errNewer = errors.New("it was written by a newer Inglenook, which is needed to open it")

// code is the primary code of an error of SQLite, 0 of another error.
func code(err error) int {
	var e *driver.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// unreadable reports whether an error of opening an index means that the index
// itself is at fault, and not the disk or the moment.
func unreadable(err error) bool {
	switch code(err) {
	case codes.SQLITE_ERROR:
		return !errors.Is(err, errMigration)
	case codes.SQLITE_SCHEMA:
		return true
	}
	return contradictory(err)
}

// contradictory reports whether an error means that an index is not what was
// written. Our statements keep to every constraint of the schema: one that fails
// has met damage.
func contradictory(err error) bool {
	switch code(err) {
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB, codes.SQLITE_CONSTRAINT, codes.SQLITE_MISMATCH, codes.SQLITE_FORMAT:
		return true
	}
	return errors.Is(err, store.ErrDamaged) || strings.Contains(err.Error(), "Scan error")
}

// full reports whether an error means that the disk is.
func full(err error) bool {
	return code(err) == codes.SQLITE_FULL || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// explained turns an error of SQLite or of a file into one that callers know.
func (c *Collection) explained(err error) error {
	switch {
	case err == nil:
		return nil
	case full(err):
		return errors.Join(store.ErrDiskFull, err)
	case contradictory(err):
		c.markDamaged()
		return errors.Join(store.ErrDamaged, err)
	case code(err) == codes.SQLITE_INTERRUPT:
		return errors.Join(context.Canceled, err)
	}
	return err
}

// markDamaged has the index set aside when it is opened the next time. The mark
// is only advice: without it, damage is met again.
func (c *Collection) markDamaged() {
	if !c.store.readOnly {
		_ = os.WriteFile(filepath.Join(c.dir, damagedName), nil, 0o600)
	}
}

// setAside moves the index into a folder of its own, in place of one that was
// set aside before, and returns the folder.
func (c *Collection) setAside() (string, error) {
	aside := filepath.Join(c.dir, asideName)
	if err := os.RemoveAll(aside); err != nil {
		return "", err
	}
	if err := os.Mkdir(aside, 0o700); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.Name() == cardName || e.Name() == asideName {
			continue
		}
		if err := os.Rename(filepath.Join(c.dir, e.Name()), filepath.Join(aside, e.Name())); err != nil {
			return "", err
		}
	}
	return aside, nil
}

// unix counts nanoseconds from 1970 on, which an int64 can hold from 1678 to 2262;
// times before and after are those.
func unix(t time.Time) int64 {
	switch {
	case t.IsZero():
		return 0
	case t.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return t.UnixNano()
}

func fromUnix(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
