package library

import (
	"fmt"

	"inglenook/plain"
)

// UnavailableError is about a model that is not on this computer, or that cannot be used.
type UnavailableError struct {
	err  error
	Gone string // a clause that says so to who has used the model before
}

func (e *UnavailableError) Error() string { return e.err.Error() }

// Unwrap returns what was found.
func (e *UnavailableError) Unwrap() error { return e.err }

// unavailable is the error about a name that nothing here has.
func unavailable(name string, err error) error {
	return &UnavailableError{err, fmt.Sprintf("the model %s is not on this computer any more", plain.Line(name, 100))}
}

// Unusable is the error about a model that is here and cannot be used.
func Unusable(m Model) error {
	err := fmt.Errorf("%s cannot be used: %s", m.Name, m.Reason)
	return &UnavailableError{err, err.Error()}
}
