// Package pages draws the pages of PDF files, for people to look at, with the
// program pdftoppm of Poppler where that is installed. It is a process of its own,
// so that a hostile file costs no more than that process.
package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"inglenook/documents/extract/format"
	"inglenook/regular"
)

// ErrNotAvailable is the error where no program draws pages.
var ErrNotAvailable = errors.New("pages cannot be shown as pictures here, because Poppler's pdftoppm is not installed")

// Limits of one picture.
const (
	minPixels = 16
	maxPixels = 6000
	maxBytes  = 64 << 20 // of the picture as a file
	patience  = 30 * time.Second
)

// program is pdftoppm; tests give others.
var program = "pdftoppm"

// Available reports whether Render can draw pages.
func Available() bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// Render draws a page, from 1, of a PDF file. Its longer side has so many pixels, 16
// to 6000: a size in dots per inch would let a file with a page of a mile take all
// memory. The error is a *format.Error where the file is the cause.
func Render(ctx context.Context, path string, page, pixels int, password string) (image.Image, error) {
	if page < 1 || pixels < minPixels || pixels > maxPixels {
		return nil, fmt.Errorf("page %d with %d pixels: a page is 1 or more, and a picture has %d to %d pixels", page, pixels, minPixels, maxPixels)
	}
	drawer, err := exec.LookPath(program)
	if err != nil {
		return nil, ErrNotAvailable
	}
	absolute, err := filepath.Abs(path) // no path begins with a dash
	if err != nil {
		return nil, err
	}
	if err := checkFile(ctx, absolute); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errPatience)
	defer cancel()
	arguments := []string{"-png", "-singlefile", "-f", strconv.Itoa(page), "-l", strconv.Itoa(page), "-scale-to", strconv.Itoa(pixels)}
	if password != "" {
		arguments = append(arguments, "-upw", password)
	}
	cmd := exec.CommandContext(ctx, drawer, append(arguments, absolute)...)
	cmd.Env = environment()
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	cmd.Stderr = &limited{w: &said, left: 8 << 10}
	picture := &limited{w: &bytes.Buffer{}, left: maxBytes, fail: true}
	cmd.Stdout = picture
	err = cmd.Run()
	switch {
	case errors.Is(context.Cause(ctx), errPatience):
		return nil, format.Errorf(format.TimedOut, "drawing a page took longer than %v", patience)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case strings.Contains(said.String(), "Incorrect password"):
		return nil, format.Errorf(format.NeedsPassword, "it is locked with a password")
	case err != nil:
		return nil, &format.Error{Reason: format.Damaged, Text: "its page could not be drawn", Err: fmt.Errorf("%w: %s", err, &said)}
	}
	return decode(picture.w.(*bytes.Buffer), pixels, page)
}

var errPatience = errors.New("the time for one page is over")

// decode reads the picture. There is none for a page that the file does not have.
func decode(data *bytes.Buffer, pixels, page int) (image.Image, error) {
	if data.Len() == 0 {
		return nil, format.Errorf(format.Damaged, "it has no page %d that can be drawn", page)
	}
	config, err := png.DecodeConfig(bytes.NewReader(data.Bytes()))
	if err == nil && (config.Width > pixels+1 || config.Height > pixels+1) {
		err = fmt.Errorf("a picture of %d × %d pixels for %d", config.Width, config.Height, pixels)
	}
	var picture image.Image
	if err == nil {
		picture, err = png.Decode(data)
	}
	if err != nil {
		return nil, &format.Error{Reason: format.Damaged, Text: "its page could not be drawn", Err: err}
	}
	return picture, nil
}

// checkFile refuses what is no regular file; the program would wait for a pipe.
func checkFile(ctx context.Context, path string) error {
	file, err := regular.Open(ctx, path)
	if errors.Is(err, regular.ErrNotRegular) {
		return &format.Error{Reason: format.NotRegular, Text: "it is not a regular file", Err: err}
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return format.Errorf(format.NotRegular, "it is a folder")
	}
	return nil
}

// environment leaves out the user's folders, so that no cache is written there.
func environment() []string {
	keep := []string{"PATH"}
	if runtime.GOOS == "windows" {
		keep = append(keep, "SYSTEMROOT")
	}
	var kept []string
	for _, name := range keep {
		kept = append(kept, name+"="+os.Getenv(name))
	}
	return kept
}

// limited writes so many bytes, and then fails or drops the rest.
type limited struct {
	w    io.Writer
	left int
	fail bool
}

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.left && l.fail {
		return 0, errors.New("it writes too much")
	}
	n := min(len(p), l.left)
	l.left -= n
	if _, err := l.w.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}
