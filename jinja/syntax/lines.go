package syntax

import (
	"errors"
	"fmt"
)

// lineError adds a line of the template to an error.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }
func (e *lineError) Unwrap() error { return e.err }

// At adds a line to an error that has none yet. A signal stays as it is.
func At(line int, err error) error {
	if err == nil || IsSignal(err) {
		return err
	}
	var placed *lineError
	if errors.As(err, &placed) {
		return err
	}
	return &lineError{line, err}
}
