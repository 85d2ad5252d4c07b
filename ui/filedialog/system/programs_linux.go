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
func (zenity) Choose(ctx context.Context, a Ask) (string, error) {
	args := []string{"--file-selection", "--title=" + a.Title}
	switch a.Kind {
	case Folder:
		args = append(args, "--directory")
	case Save:
		args = append(args, "--save", "--confirm-overwrite", "--filename="+a.Name)
	case File:
		if len(a.Extensions) > 0 {
			args = append(args, "--file-filter="+names(a)+" | "+globs(a), "--file-filter=All files | *")
		}
	}
	return shown(ctx, "zenity", args)
}

// kdialog is KDE's program for dialogs.
type kdialog struct{}

// Choose shows kdialog's dialog.
func (kdialog) Choose(ctx context.Context, a Ask) (string, error) {
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
	case File:
		args = append(args, "--getopenfilename", home)
		if len(a.Extensions) > 0 {
			args = append(args, names(a)+" ("+globs(a)+")")
		}
	}
	return shown(ctx, "kdialog", args)
}

func names(a Ask) string { return "*" + strings.Join(a.Extensions, ", *") }

func globs(a Ask) string {
	var list []string
	for _, e := range a.Extensions {
		list = append(list, anyCase("*"+e))
	}
	return strings.Join(list, " ")
}

// shown runs a program that shows a dialog and prints the path that was chosen.
func shown(ctx context.Context, program string, args []string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", ErrNone
	}
	cmd := exec.CommandContext(ctx, path, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	var exit *exec.ExitError
	switch chosen := strings.TrimSuffix(string(out), "\n"); {
	case err == nil && chosen != "":
		return checked(chosen)
	case err == nil:
		return "", nil
	case errors.As(err, &exit) && exit.ExitCode() == 1 && !bytes.Contains(bytes.ToLower(said.Bytes()), []byte("display")):
		return "", nil // cancelled
	}
	return "", ErrNone // it did not start, or found no screen
}
