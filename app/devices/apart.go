package devices

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/plain"
)

// TrialArgument is the first argument of the processes that open and test a device
// for the program, which hands the others to ServeTrial.
const TrialArgument = "device-trial"

// The exit codes of a process that tried a device and did not end by it.
const (
	trialPassed = 0
	trialFailed = 1 // with an error, which the program meets as well
)

// ServeTrial opens and tests a device, and returns the exit code. The arguments are
// the device's id and the program's cache folder. A driver that ends the process
// leaves its mark there. An interruption is for the program, which ends its trials.
func ServeTrial(args []string, stderr io.Writer) int {
	signal.Ignore(os.Interrupt)
	if len(args) != 2 {
		fmt.Fprintln(stderr, "a trial takes the id of a device and a folder")
		return trialFailed
	}
	d := New(nil, slog.New(slog.NewTextHandler(stderr, nil)), base.Paths{Cache: args[1]}, Options{})
	return d.serve(args[0], stderr)
}

// serve tries a device in this process.
func (d *Service) serve(id string, stderr io.Writer) int {
	defer d.Close()
	cpu, err := d.CPU(0)
	if err == nil {
		_, err = d.tryOn(context.Background(), id, cpu)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return trialFailed
	}
	return trialPassed
}

// apartTimeout is how long a device may take to be opened and tested: a first
// compilation of its kernels takes a minute on a slow one.
const apartTimeout = 10 * time.Minute

// tryApart opens and tests a device in a process of its own, unless it has passed
// before. Where that ends the process, the mark stays, and with it the reason. What
// goes wrong otherwise is left to the program itself.
func (d *Service) tryApart(ctx context.Context, x *Accelerator) {
	found, err := x.Probe()
	if err != nil || d.Proofs.Known(d.Proofs.keyOf(found, selfCheckProof)) {
		return
	}
	limited, cancel := context.WithTimeout(ctx, apartTimeout)
	defer cancel()
	said := &lastWords{}
	child := exec.CommandContext(limited, d.apart[0], append(d.apart[1:len(d.apart):len(d.apart)], x.ID, x.trial.folder)...)
	child.Stderr = said
	start := time.Now()
	err = child.Run()
	d.log.Info("device tried in a process of its own", "device", x.ID, "took", time.Since(start).Round(time.Millisecond), "ended", fmt.Sprint(err), "said", said.String())
	d.Proofs.reload()
	if ctx.Err() != nil { // the program ends, and so did the process in the middle of its work
		_ = x.trial.left()
		_ = x.trial.forget()
		return
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() != trialFailed {
		x.trial.because(reasonOf(exit, limited.Err() != nil, said.String()))
	}
}

// reasonOf says in a few words how a process ended.
func reasonOf(exit *exec.ExitError, late bool, said string) string {
	if late {
		return fmt.Sprintf("it took longer than %v", apartTimeout)
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	return plain.Cut(strings.TrimSuffix(fmt.Sprintf("%v: %s", exit, lines[len(lines)-1]), ": "), 200)
}

// lastWords keeps the end of what is written.
type lastWords struct{ text []byte }

const mostLastWords = 4 << 10

func (w *lastWords) Write(p []byte) (int, error) {
	w.text = append(w.text, p...)
	w.text = w.text[max(0, len(w.text)-mostLastWords):]
	return len(p), nil
}

func (w *lastWords) String() string { return string(w.text) }
