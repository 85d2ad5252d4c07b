package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
)

// Kinds of errors, for [errors.Is]. The messages of the errors themselves are
// sentences for the user.
var (
	// ErrOffline: connections are forbidden.
	ErrOffline = errors.New("offline")
	// ErrGated: the user has to accept terms, or to supply a token with read
	// access.
	ErrGated = errors.New("gated")
	// ErrNotFound: no such repository, revision or file.
	ErrNotFound = errors.New("not found")
	// ErrRateLimited: too many requests; the server asked for a delay.
	ErrRateLimited = errors.New("rate limited")
	// ErrUnreachable: no connection, or a broken one. A retry may succeed.
	ErrUnreachable = errors.New("unreachable")
	// ErrServer: the server reports an error of its own. A retry may succeed.
	ErrServer = errors.New("server error")
	// ErrProtocol: a response that the protocol does not allow.
	ErrProtocol = errors.New("protocol")
	// ErrCorrupt: the bytes do not have the expected hash.
	ErrCorrupt = errors.New("corrupt")
	// ErrDiskFull: there is not enough space for the missing bytes.
	ErrDiskFull = errors.New("disk full")
	// ErrStorage: reading or writing in the folder failed.
	ErrStorage = errors.New("storage")
	// ErrNotInstalled: the cache does not contain the repository, revision or
	// file.
	ErrNotInstalled = errors.New("not installed")
	// ErrUnsafe: a format that can run code, or a name that leads out of the
	// folder.
	ErrUnsafe = errors.New("unsafe")
)

// failure is an error with a sentence for the user and its kind.
type failure struct {
	kind     error
	sentence string
	cause    error         // may be nil
	wait     time.Duration // that the server asks for; 0: none
}

func (f *failure) Error() string { return f.sentence }

func (f *failure) Unwrap() []error {
	if f.cause == nil {
		return []error{f.kind}
	}
	return []error{f.kind, f.cause}
}

func fail(kind, cause error, format string, args ...any) *failure {
	return &failure{kind: kind, cause: cause, sentence: fmt.Sprintf(format, args...)}
}

// passing reports whether a retry may succeed after this error.
func passing(err error) bool {
	return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrServer) || errors.Is(err, ErrRateLimited)
}

// asked returns how long the server asked us to wait.
func asked(err error) time.Duration {
	var f *failure
	if errors.As(err, &f) {
		return f.wait
	}
	return 0
}

// plain makes foreign text fit for an error message of ours: one short line.
func plain(text string) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '�' {
			return ' '
		}
		return r
	}, text)), " ")
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}

// storageError describes an error of the file system in a sentence. The error's own text
// contains paths, which should not be logged, so only its last part is shown.
func storageError(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	var ours *failure
	if errors.As(err, &ours) {
		return ours
	}
	what := fmt.Sprintf(format, args...)
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fail(ErrDiskFull, err, "%s: the disk is full; free some space, what is there is kept", what)
	}
	why := err.Error()
	var inPath *fs.PathError
	var inLink *os.LinkError
	var plainErr syscall.Errno
	switch {
	case errors.As(err, &plainErr):
		why = plainErr.Error()
	case errors.As(err, &inPath):
		why = inPath.Err.Error()
	case errors.As(err, &inLink):
		why = inLink.Err.Error()
	}
	return fail(ErrStorage, err, "%s (%s); check the folder's rights and its disk", what, why)
}
