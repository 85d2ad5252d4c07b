package documents

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"

	text "inglenook/documents"
	"inglenook/documents/extract"
)

// ReaderArgument is the first argument of the processes that read files. The program
// hands it to ServeReader.
const ReaderArgument = extract.ChildArgument

// ServeReader reads the files that the program names on in, and returns the exit code.
// args are the arguments after ReaderArgument. An interruption is for the program,
// which ends its readers; they do not die of it in the middle of a file.
func ServeReader(args []string, in io.Reader, out io.Writer) int {
	signal.Ignore(os.Interrupt)
	return extract.Serve(args, in, out)
}

// readers are processes that read files. One more than the indexer uses, so that a
// document opens while others are read.
type readers struct{ free chan *extract.Child }

const manyReaders = 3

func newReaders() (*readers, error) {
	r := &readers{free: make(chan *extract.Child, manyReaders)}
	for range manyReaders {
		child, err := extract.NewChild(extract.ChildOptions{})
		if err != nil {
			return nil, err
		}
		r.free <- child
	}
	return r, nil
}

func (r *readers) file(ctx context.Context, path string, o extract.Options) (text.Document, error) {
	select {
	case child := <-r.free:
		defer func() { r.free <- child }()
		return child.File(ctx, path, o)
	case <-ctx.Done():
		return text.Document{}, ctx.Err()
	}
}

// close ends the processes. No file is being read then.
func (r *readers) close() error {
	var errs []error
	for range manyReaders {
		child := <-r.free
		errs = append(errs, child.Close())
	}
	return errors.Join(errs...)
}
