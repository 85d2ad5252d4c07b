package base

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

// JoinNotes makes one line of several sentences.
func JoinNotes(notes []string) string {
	for i, n := range notes {
		if n != "" && !strings.HasSuffix(n, ".") {
			notes[i] = strings.ToUpper(n[:1]) + n[1:] + "."
		}
	}
	return strings.Join(notes, " ")
}

// InContext returns the context's own error where that is why the work ended:
// whoever cancelled wants to see that and not where it was noticed.
func InContext(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// PlainError takes the system's own words out of an error that also names a
// temporary file or a call.
func PlainError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// FileError says in a sentence why a file can't be opened or read.
func FileError(path string, err error) error {
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("there is no file or folder %s; check the name", ShortPath(path))
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("%s may not be read with your rights; change its permissions or choose another", ShortPath(path))
	}
	var inner *os.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return fmt.Errorf("%s cannot be read: %w", ShortPath(path), err)
}

// PerSecond is a rate; 0 where no time has passed.
func PerSecond(n int, took time.Duration) float64 {
	if took <= 0 {
		return 0
	}
	return float64(n) / took.Seconds()
}
