package format

import (
	"errors"
	"fmt"
)

// An Error says why a file gave no text.
type Error struct {
	Reason Reason
	Text   string // for a user, without the file's name: "it is locked with a password"
	Err    error  // the cause, for the log; may be nil
	Pages  bool   // it has no text, but pages, which may be scanned
}

// Reason is the kind of an Error.
type Reason uint8

// The reasons.
const (
	Damaged       Reason = iota + 1 // its content breaks the rules of its format
	Unsupported                     // no reader knows its format
	NeedsPassword                   // it is locked, and the password was missing or wrong
	NoText                          // it has pages or pictures, but no text
	TooLarge                        // the file, or what it unpacks to, is over a limit
	TimedOut                        // it took too long
	Empty                           // it has no content at all
	NotRegular                      // it is a folder, a pipe or a device
	Sealed                          // it is locked in a way that a password does not open here
	NoVectors                       // it was read, and the embedding model cannot do a passage of it
)

// scanned is the hint for pages without text.
const scanned = "It may be scanned. A program for text recognition (OCR) can add the text."

// hints say what a user can do. Nothing can be done where there is no text.
var hints = map[Reason]string{
	Damaged:       "Open it in its program and save it again, or get a new copy of it.",
	Unsupported:   "Save it as PDF, DOCX or plain text.",
	NeedsPassword: "Give its password, or save a copy of it without one.",
	TooLarge:      "Split it into smaller files.",
	TimedOut:      "Save it again in its program, or split it into smaller files.",
	Empty:         "Choose a file with content.",
	NotRegular:    "Choose a file, not a folder or a device.",
	Sealed:        "Save a copy of it without a password, or as PDF.",
	NoVectors:     "Try it again, or choose another embedding model for the collection.",
}

var names = [...]string{"", "damaged", "unsupported", "needs password", "no text", "too large", "timed out", "empty", "not a regular file", "sealed", "no vectors"}

func (r Reason) String() string {
	if int(r) < len(names) {
		return names[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Errorf returns an Error with a sentence for a user.
func Errorf(reason Reason, text string, args ...any) *Error {
	return &Error{Reason: reason, Text: fmt.Sprintf(text, args...)}
}

// DamagedBy returns the error for content that breaks the rules of a format. A
// cause that already is an Error, or the end of a context, stays as it is.
func DamagedBy(cause error) error {
	if _, ok := ReasonOf(cause); ok || isContext(cause) {
		return cause
	}
	return &Error{Reason: Damaged, Text: "it is damaged or incomplete", Err: cause}
}

// ReasonOf returns why a file gave no text, if the error says so.
func ReasonOf(err error) (Reason, bool) {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason, true
	}
	return 0, false
}

func (e *Error) Error() string { return e.Text }

func (e *Error) Unwrap() error { return e.Err }

// Hint says what a user can do about it; "": nothing.
func (e *Error) Hint() string {
	if e.Reason == NoText && e.Pages {
		return scanned
	}
	return hints[e.Reason]
}
