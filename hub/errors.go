package hub

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// What an error is about, for [errors.Is]. The errors themselves are sentences.
var (
	// ErrOffline: connections are forbidden.
	ErrOffline = errors.New("offline")
	// ErrGated: the person has to accept terms, or to give a token that may read.
	ErrGated = errors.New("gated")
	// ErrNotFound: no such repository, revision or file.
	ErrNotFound = errors.New("not found")
	// ErrRateLimited: too many requests; there was a time to wait.
	ErrRateLimited = errors.New("rate limited")
	// ErrUnreachable: no connection, or one that broke. It may work later.
	ErrUnreachable = errors.New("unreachable")
	// ErrServer: the server says that it has trouble. It may work later.
	ErrServer = errors.New("server error")
	// ErrProtocol: an answer that the protocol does not allow.
	ErrProtocol = errors.New("protocol")
	// ErrCorrupt: bytes that do not have the hash that they should have.
	ErrCorrupt = errors.New("corrupt")
	// ErrDiskFull: there is no room for what is missing.
	ErrDiskFull = errors.New("disk full")
	// ErrStorage: the disk or the folder refuses.
	ErrStorage = errors.New("storage")
	// ErrNotInstalled: the cache does not hold it.
	ErrNotInstalled = errors.New("not installed")
	// ErrUnsafe: a format that can run code, or a name that leads elsewhere.
	ErrUnsafe = errors.New("unsafe")
)

// failure is a sentence with what it is about.
type failure struct {
	kind     error
	sentence string
	cause    error         // may be nil
	wait     time.Duration // that the server asks for; 0: it does not
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

// passing reports whether an error is one that waiting may cure.
func passing(err error) bool {
	return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrServer) || errors.Is(err, ErrRateLimited)
}

// asked is how long the server wants us to wait.
func asked(err error) time.Duration {
	var f *failure
	if errors.As(err, &f) {
		return f.wait
	}
	return 0
}

// plain takes what a stranger wrote into a sentence of ours: one line, short.
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
