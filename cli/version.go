package cli

import (
	"context"
	"strings"

	"inglenook/app/base"
)

func versionCommand() command {
	return command{
		name: "version", about: "Show version, commit, and the devices and kernels built in",
		setup: func(f *flags) action {
			f.noArgs()
			return version
		},
	}
}

type versionJSON struct {
	Version  string   `json:"version"`
	Commit   string   `json:"commit"`
	Changed  bool     `json:"changed"`
	Go       string   `json:"go"`
	System   string   `json:"system"`
	Features []string `json:"features"` // devices that this program can use
	Kernels  []string `json:"kernels"`  // instruction sets in use on this computer
}

func version(_ context.Context, c *call) error {
	b := base.Version()
	out := versionJSON{b.Version, b.Commit, b.Changed, b.Go, b.System, []string{}, []string{}}
	for _, d := range c.Devices() {
		if d.Available {
			out.Features = append(out.Features, d.ID)
			out.Kernels = append(out.Kernels, d.Features...)
		}
	}
	if c.json {
		return c.printJSON(out)
	}
	c.printf("Inglenook %s", out.Version)
	if out.Commit != "" {
		c.printf(", commit %.12s", out.Commit)
	}
	c.printf("\n%s, %s\ndevices: %s\nkernels: %s\n", out.System, out.Go, strings.Join(out.Features, " "), strings.Join(out.Kernels, " "))
	return nil
}
