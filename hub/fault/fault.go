// Package fault has the kinds of errors of the Hub and of its cache. Each error is a sentence for the
// user, and errors.Is tells its kind.
package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"inglenook/plain"
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

// Error is an error with a sentence for the user and its kind.
type Error struct {
	kind     error
	Sentence string
	Detail   string        // what the system said, for those who look closer; "": nothing, or it is in the sentence
	cause    error         // may be nil
	Wait     time.Duration // that the server asks for; 0: none
	Status   int           // of the server's answer; 0: there was none, or it is not what failed
}

// Error returns the sentence.
func (f *Error) Error() string { return f.Sentence }

// Unwrap returns the kind and the cause.
func (f *Error) Unwrap() []error {
	if f.cause == nil {
		return []error{f.kind}
	}
	return []error{f.kind, f.cause}
}

// New returns an error of a kind, with a cause that may be nil and a sentence for the user.
func New(kind, cause error, format string, args ...any) *Error {
	return &Error{kind: kind, cause: cause, Sentence: fmt.Sprintf(format, args...)}
}

// Temporary reports whether a retry may succeed after this error.
func Temporary(err error) bool {
	return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrServer) || errors.Is(err, ErrRateLimited)
}

// Wait returns how long the server asked us to wait.
func Wait(err error) time.Duration {
	var f *Error
	if errors.As(err, &f) {
		return f.Wait
	}
	return 0
}

// Plain makes what a server says fit for an error message of ours: one short line.
func Plain(text string) string { return plain.Line(text, 200) }

// Storage describes an error of the file system in a sentence. The error's own text
// contains paths, which should not be logged, so only its last part is shown.
func Storage(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	var ours *Error
	if errors.As(err, &ours) {
		return ours
	}
	what := fmt.Sprintf(format, args...)
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return New(ErrDiskFull, err, "%s: the disk is full; free some space, what is there is kept", what)
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
	return New(ErrStorage, err, "%s (%s); check the folder's rights and its disk", what, why)
}
