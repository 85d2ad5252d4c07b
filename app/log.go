package app

import (
	"context"
	"io"
	"log/slog"
	"strings"

	"inglenook/app/base"
	"inglenook/regular"
)

// newLog makes a logger that writes to file and, where verbose, to stderr too.
// Neither gets secrets or the home folder's name.
func newLog(file io.Writer, verbose bool, stderr io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: slog.LevelInfo, ReplaceAttr: base.RedactAttr}
	var handlers []slog.Handler
	if file != nil {
		handlers = append(handlers, slog.NewTextHandler(file, options))
	}
	if verbose && stderr != nil {
		plain := &slog.HandlerOptions{Level: slog.LevelInfo, ReplaceAttr: withoutTime}
		handlers = append(handlers, slog.NewTextHandler(stderr, plain))
	}
	return slog.New(slog.NewMultiHandler(handlers...))
}

// withoutTime is RedactAttr for a terminal, where the time is now.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return base.RedactAttr(groups, a)
}

// lastLines returns the last n lines of a file, as far as they lie in its last
// 64 kB; nothing where it can't be read.
func lastLines(path string, n int) []string {
	f, err := regular.Open(context.Background(), path)
	if err != nil {
		return nil
	}
	defer f.Close()
	const tail = 64 << 10
	if info, err := f.Stat(); err == nil && info.Size() > tail {
		if _, err := f.Seek(-tail, io.SeekEnd); err != nil {
			return nil
		}
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return lines[max(0, len(lines)-n):]
}
