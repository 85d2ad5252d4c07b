package cli

import (
	"bufio"
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
		return nil, wrongUsage("there is no text; give texts as arguments, or one a line on standard input")
	}
	return readLines(c.stdin)
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
			return nil, wrongUsage("%q in --%s is not a token id; give whole numbers from 0 with commas between them, as in 101,7592,102", part, flag)
		}
		ids = append(ids, int32(id))
	}
	return ids, nil
}

// isTerminal reports whether v is a file at which a person sits: a character
// device that is not the null device.
func isTerminal(v any) bool {
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
