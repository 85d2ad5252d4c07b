package system

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// Kind is what is asked for.
type Kind int

// What can be asked for.
const (
	File   Kind = iota // one that is there
	Files              // one or more that are there
	Folder             // one that is there
	Save               // a file to be written; the dialog asks before it takes one that is there
)

// Ask is a question to a person.
type Ask struct {
	Kind       Kind
	Title      string
	Name       string   // suggested, of a file to be written
	Extensions []string // of files: ".gguf"; none: every file
	Window     string   // the one that asks, as portals name it: "x11:1e00004"; "": unknown
}

// Chooser shows a dialog. It returns absolute paths, of which there is one at most where one is asked
// for; none: the person chose nothing. The dialog closes when the context ends. ErrNone says that no
// dialog was shown.
type Chooser interface {
	Choose(ctx context.Context, a Ask) (paths []string, err error)
}

// ErrNone is returned where there is no such dialog, or where it does not answer.
var ErrNone = errors.New("there is no such dialog here")

// checked returns a path that a dialog gave, if it can be one of this computer.
func checked(path string) (string, error) {
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", fmt.Errorf("the file dialog gave %q, which is no path on this computer; choose another file or folder", path)
	}
	return filepath.Clean(path), nil
}

// allChecked returns paths that a dialog gave, if all can be of this computer.
func allChecked(given []string, check func(string) (string, error)) (paths []string, err error) {
	for _, one := range given {
		path, err := check(one)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// pathOf returns the path that a file: address names.
func pathOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("%q is not on this computer; copy it here first, then choose the copy", address)
	}
	return checked(u.Path)
}
