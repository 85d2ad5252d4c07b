package system

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// zenity is GNOME's program for dialogs.
type zenity struct{}

// Choose shows zenity's dialog.
func (zenity) Choose(ctx context.Context, a Ask) ([]string, error) {
	args := []string{"--file-selection", "--title=" + a.Title}
	switch a.Kind {
	case Folder:
		args = append(args, "--directory")
	case Save:
		args = append(args, "--save", "--confirm-overwrite", "--filename="+a.Name)
	case Files:
		args = append(args, "--multiple", "--separator=\n")
	case File:
		if len(a.Extensions) > 0 {
			args = append(args, "--file-filter="+names(a)+" | "+globs(a), "--file-filter=All files | *")
		}
	}
	return shown(ctx, "zenity", args, a.Kind == Files)
}

// kdialog is KDE's program for dialogs.
type kdialog struct{}

// Choose shows kdialog's dialog.
func (kdialog) Choose(ctx context.Context, a Ask) ([]string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/"
	}
	args := []string{"--title", a.Title}
	switch a.Kind {
	case Folder:
		args = append(args, "--getexistingdirectory", home)
	case Save:
		args = append(args, "--getsavefilename", filepath.Join(home, a.Name))
	case Files:
		args = append(args, "--multiple", "--separate-output", "--getopenfilename", home)
	case File:
		args = append(args, "--getopenfilename", home)
		if len(a.Extensions) > 0 {
			args = append(args, names(a)+" ("+globs(a)+")")
		}
	}
	return shown(ctx, "kdialog", args, a.Kind == Files)
}

func names(a Ask) string { return "*" + strings.Join(a.Extensions, ", *") }

func globs(a Ask) string {
	var list []string
	for _, e := range a.Extensions {
		list = append(list, anyCase("*"+e))
	}
	return strings.Join(list, " ")
}

// shown runs a program that shows a dialog and prints the path that was chosen, or several.
func shown(ctx context.Context, program string, args []string, several bool) ([]string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return nil, ErrNone
	}
	cmd := exec.CommandContext(ctx, path, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var exit *exec.ExitError
	switch chosen := strings.TrimSuffix(string(out), "\n"); {
	case err == nil && chosen != "":
		given := []string{chosen}
		if several {
			given = lines(chosen)
		}
		return allChecked(given, checked)
	case err == nil:
		return nil, nil
	case errors.As(err, &exit) && exit.ExitCode() == 1 && !bytes.Contains(bytes.ToLower(said.Bytes()), []byte("display")):
		return nil, nil // cancelled
	}
	return nil, ErrNone // it did not start, or found no screen
}

// lines are the paths of which each begins a line. One that has a line end itself goes on in the next.
func lines(printed string) (paths []string) {
	for line := range strings.SplitSeq(printed, "\n") {
		if n := len(paths); n > 0 && !strings.HasPrefix(line, "/") {
			paths[n-1] += "\n" + line
			continue
		}
		paths = append(paths, line)
	}
	return paths
}
