package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// texts returns the arguments, or the lines of standard input where there are
// none.
func (c *call) texts() ([]string, error) {
	if len(c.args) > 0 {
		return c.args, nil
	}
	if isTerminal(c.stdin) {
		return nil, WrongUsage("there is no text; give texts as arguments, or one a line on standard input")
	}
	lines, err := readLines(c.stdin)
	if err == nil && len(lines) == 0 {
		err = WrongUsage("there is no text on standard input; give one a line, or texts as arguments")
	}
	return lines, err
}

// readLines reads lines of any length. The line ends are taken off; an empty
// line is a text, so that numbers keep their meaning.
func readLines(r io.Reader) ([]string, error) {
	var lines []string
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			lines = append(lines, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
		}
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return nil, fmt.Errorf("standard input cannot be read: %w", err)
		}
	}
}

// parseIDs reads "1,2,3".
func parseIDs(flag, list string) ([]int32, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	var ids []int32
	for part := range strings.SplitSeq(list, ",") {
		id, err := strconv.ParseInt(strings.TrimSpace(part), 10, 32)
		if err != nil || id < 0 {
			return nil, WrongUsage("%q in --%s is not a token id; give whole numbers from 0 with commas between them, as in 101,7592,102", part, flag)
		}
		ids = append(ids, int32(id))
	}
	return ids, nil
}

// interruptibleReader is a reader whose Read returns when a context ends, also
// while nothing comes. The read that it leaves behind ends with its source, or
// with the program.
type interruptibleReader struct {
	ctx    context.Context
	source io.Reader
}

func (r interruptibleReader) Read(p []byte) (int, error) {
	type result struct {
		data []byte
		err  error
	}
	came := make(chan result, 1)
	go func() {
		data := make([]byte, len(p)) // p belongs to the caller again after an interruption
		n, err := r.source.Read(data)
		came <- result{data[:n], err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case got := <-came:
		return copy(p, got.data), got.err
	}
}

// isTerminal reports whether v is a file at which a person sits: a character
// device that is not the null device.
func isTerminal(v any) bool {
	if r, ok := v.(interruptibleReader); ok {
		v = r.source
	}
	f, ok := v.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
