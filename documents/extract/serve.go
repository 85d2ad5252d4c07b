package extract

import (
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"

	"inglenook/documents"
)

// maxStack bounds recursion; the parsers bound theirs earlier.
const maxStack = 64 << 20

// exitMemory is the exit code of a child that used up its memory.
const exitMemory = 77

// Serve is what a Child's process does: it reads the files that in names and
// writes their documents to out, until in ends. The argument is the memory it may
// use, in bytes. It returns the process's exit code.
func Serve(args []string, in io.Reader, out io.Writer) int {
	return serve(args, in, out, File)
}

func serve(args []string, in io.Reader, out io.Writer, file func(context.Context, string, Options) (documents.Document, error)) int {
	memory, err := strconv.ParseInt(append(args, "")[0], 10, 64)
	if err != nil || memory <= 0 {
		fmt.Fprintln(os.Stderr, "inglenook: this subcommand is for the program itself")
		return 2
	}
	debug.SetMemoryLimit(memory / 10 * 8)
	debug.SetMaxStack(maxStack)
	limitProcess(memory)
	go watchMemory(memory)

	// The end of the input ends the process at once, also in the middle of a file:
	// this program's other process is gone. So a goroutine works and this one waits.
	requests := make(chan request)
	go func() {
		responses := gob.NewEncoder(out)
		for r := range requests {
			doc, err := file(context.Background(), r.Path, r.Options)
			if err := responses.Encode(response{doc, failureOf(err)}); err != nil {
				os.Exit(1) // nobody reads
			}
		}
	}()
	for decoder := gob.NewDecoder(in); ; {
		var r request
		if decoder.Decode(&r) != nil {
			return 0
		}
		requests <- r
	}
}

// watchMemory ends the process when it uses more memory than it may. The limits of
// the system do the same, where it has them.
func watchMemory(most int64) {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(20 * time.Millisecond) {
		metrics.Read(sample)
		if sample[0].Value.Uint64()-sample[1].Value.Uint64() > uint64(most) {
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(exitMemory)
		}
	}
}
