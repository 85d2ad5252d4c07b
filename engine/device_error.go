package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// DeviceError reports that a device failed: a submission failed, it timed out or
// is gone. Memory that it refused is a [NoRoomError]. A mistake in the graph, the
// end of the caller's context and unreadable weights are other errors: another
// device would not help there.
type DeviceError struct {
	Device string // its id
	Stage  Stage
	Err    error
}

// Stage is what a device was doing when it failed.
type Stage string

// The stages of a run, in order.
const (
	StagePlace   Stage = "place"   // ask what it supports
	StagePrepare Stage = "prepare" // weights into its memory
	StageAlloc   Stage = "alloc"   // memory for activations
	StageWrite   Stage = "write"   // values into its memory
	StageSubmit  Stage = "submit"  // run operations
	StageWait    Stage = "wait"    // wait for their end
	StageRead    Stage = "read"    // values out of its memory
)

func (e *DeviceError) Error() string { return e.Device + ": " + e.Err.Error() }

func (e *DeviceError) Unwrap() error { return e.Err }

// failed wraps the error of a backend as a DeviceError, unless the device is not
// the cause.
func failed(ctx context.Context, b Backend, stage Stage, err error) error {
	if err == nil {
		return nil
	}
	id := b.Device().ID
	var unread *WeightError
	var full *NoRoomError
	if ctx.Err() != nil || errors.As(err, &unread) || errors.As(err, &full) {
		return fmt.Errorf("%s: %w", id, err)
	}
	return &DeviceError{id, stage, err}
}

// NoRoomError reports that a device has no memory left for something. The device
// is in order: only what needs the memory has to run elsewhere.
type NoRoomError struct {
	Device string // its id
	Err    error  // what the memory was for, and how much there is
}

func (e *NoRoomError) Error() string { return e.Err.Error() }

func (e *NoRoomError) Unwrap() error { return e.Err }

// InterruptedError reports that a device dropped work for a reason that lies outside of
// it: another program's work brought it to a stop, say. The device is in order, and the
// pass may run again.
type InterruptedError struct {
	Device string // its id
	Err    error
}

func (e *InterruptedError) Error() string { return e.Err.Error() }

func (e *InterruptedError) Unwrap() error { return e.Err }

// WeightError reports that the bytes of a weight cannot be read: its file was
// truncated, changed or closed.
type WeightError struct {
	Weight string
	Err    error
}

func (e *WeightError) Error() string { return "read " + e.Weight + ": " + e.Err.Error() }

func (e *WeightError) Unwrap() error { return e.Err }

// weightSource turns errors of reading a weight into WeightErrors.
type weightSource struct {
	name  string
	bytes int64
	from  io.ReaderAt
}

func (s *weightSource) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.from.ReadAt(p, off)
	switch {
	case err == nil || n == len(p):
		return n, err
	case errors.Is(err, io.EOF):
		if off < 0 || off+int64(len(p)) > s.bytes {
			return n, err // beyond the end, as io.ReaderAt demands
		}
		err = io.ErrUnexpectedEOF
	}
	return n, &WeightError{s.name, err}
}
