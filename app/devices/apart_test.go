package devices

import (
	"errors"
	"os"
	"os/signal"
	"strings"
	"testing"

	"inglenook/cpubackend"
	"inglenook/engine"
)

// deviceInProcess is the device of TestTriedApart; at is where it ends its process.
func deviceInProcess(at string) (*aborting, error) {
	inner, err := cpubackend.New(cpubackend.Options{Threads: 1, ID: "gpu"})
	a := &aborting{Backend: inner, at: at}
	if err == nil && at == "open" {
		a.abort()
	}
	if err == nil && at == "error" {
		err = errors.New("no GPU is found")
	}
	return a, err
}

// TestTrialChild is the child of TestTriedApart.
func TestTrialChild(t *testing.T) {
	at, folder, _ := strings.Cut(os.Getenv("INGLENOOK_TEST_TRIAL"), ":")
	if at == "" {
		t.Skip("for TestTriedApart alone")
	}
	os.Stderr.WriteString("what the driver said last\n")
	os.Exit(serviceWith(t, folder, func() (engine.Backend, error) { return deviceInProcess(at) }).serve("gpu", os.Stderr))
}

// A device that never passed is opened and tested in another process first. If that
// ends by it, this one does not open it, and says how the other ended; so does the
// next start, until the device is tried again, again in another process.
func TestTriedApart(t *testing.T) {
	for _, at := range []string{"open", "self-check", "error", "never"} {
		t.Run(at, func(t *testing.T) {
			folder := t.TempDir()
			opened := (*aborting)(nil)
			start := func(at string) *Service {
				t.Setenv("INGLENOOK_TEST_TRIAL", at+":"+folder)
				here := "never" // what ends the other process must not happen in this one
				if at == "error" {
					here = at
				}
				d := serviceWith(t, folder, func() (b engine.Backend, err error) {
					opened, err = deviceInProcess(here)
					return opened, err
				})
				d.Others[0].Probe = func() (engine.Device, error) {
					b, err := cpubackend.New(cpubackend.Options{Threads: 1, ID: "gpu"})
					if err != nil {
						return engine.Device{}, err
					}
					defer b.Close()
					return b.Device(), nil
				}
				d.tryBefore(os.Args[0], "-test.run=^TestTrialChild$")
				return d
			}
			ends := at == "open" || at == "self-check"
			d := start(at)
			_, err := d.Backends("gpu")
			if ends != (opened == nil) || (err == nil) != (at == "never") {
				t.Fatalf("opened %v: %v", opened != nil, err)
			}
			if !ends {
				return
			}
			for range 2 { // now, and at the next start
				if shown := d.Device("gpu"); shown.Available || !shown.LeftAlone || !strings.Contains(shown.Reason, "(signal: killed: what the driver said last)") {
					t.Errorf("shown as %+v", shown)
				}
				d = start("never")
				if _, err := d.Backends("gpu"); opened != nil || err == nil {
					t.Errorf("opened %v: %v", opened != nil, err)
				}
			}
			t.Setenv("INGLENOOK_TEST_TRIAL", at+":"+folder)
			if _, err := d.Try(t.Context(), "gpu"); opened != nil || err == nil {
				t.Errorf("tried again in this process %v: %v", opened != nil, err)
			}
			t.Setenv("INGLENOOK_TEST_TRIAL", "never:"+folder)
			if notices, err := d.Try(t.Context(), "gpu"); err != nil || len(notices) > 0 || opened == nil {
				t.Errorf("tried again: %v, %v", notices, err)
			}
			if opened != nil && opened.submits > 0 {
				t.Error("it is tested here as well, although it passed")
			}
		})
	}
}

// A process that tries a device says in order that it cannot.
func TestServeTrial(t *testing.T) {
	var said strings.Builder
	if code := ServeTrial([]string{"no such device", t.TempDir()}, &said); code != trialFailed || !strings.Contains(said.String(), `there is no device "no such device"`) {
		t.Errorf("%d, %q", code, said.String())
	}
	if code := ServeTrial(nil, &said); code != trialFailed {
		t.Errorf("%d", code)
	}
	signal.Reset(os.Interrupt)
}
