package cli

import (
	"context"
	"fmt"
)

func devicesCommand() command {
	return command{
		name: "devices", about: "List the devices: memory, features, and why one is missing",
		setup: func(f *flags) action {
			f.noArgs()
			try := ""
			f.StringVar(&try, "try", "", "`DEVICE` to open and test once more, such as metal: also one that was left alone")
			return func(ctx context.Context, c *call) error {
				if try != "" {
					return tryDevice(ctx, c, try)
				}
				return listDevices(ctx, c)
			}
		},
	}
}

type deviceJSON struct {
	ID          string   `json:"id"`
	Kind        string   `json:"kind"`
	Name        string   `json:"name"`
	MemoryBytes uint64   `json:"memory_bytes"`
	Available   bool     `json:"available"`
	Reason      string   `json:"reason"`
	Threads     int      `json:"threads,omitempty"`
	Features    []string `json:"features"`
	NotUsed     []string `json:"not_used,omitempty"`
	Products    string   `json:"products,omitempty"`
}

func listDevices(_ context.Context, c *call) error {
	out := []deviceJSON{}
	for _, d := range c.Devices() {
		if !c.json {
			c.printf("%s\n", d.Line())
			continue
		}
		out = append(out, deviceJSON{
			ID: d.ID, Kind: d.Kind, Name: d.Name, MemoryBytes: d.MemoryBytes, Available: d.Available,
			Reason: d.Reason, Threads: d.Threads, Features: append([]string{}, d.Features...), NotUsed: d.NotUsed, Products: d.Products,
		})
	}
	if !c.json {
		return nil
	}
	return c.printJSON(map[string]any{"devices": out})
}

// tryDevice opens and tests a device. If that ends the program, the next start leaves
// the device alone.
func tryDevice(ctx context.Context, c *call, id string) error {
	notices, err := c.Try(ctx, id)
	if err != nil {
		return fmt.Errorf("the device %s cannot be used: %w", id, err)
	}
	d := c.Device(id)
	if c.json {
		return c.printJSON(map[string]any{"device": id, "available": d.Available, "notices": append([]string{}, notices...)})
	}
	c.printf("%s\n%s\n", d.Line(), d.SelfCheck)
	return nil
}
