package cli

import "context"

func devicesCommand() command {
	return command{
		name: "devices", about: "List the devices: memory, features, and why one is missing",
		setup: func(f *flags) action {
			f.noArgs()
			return listDevices
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
			Reason: d.Reason, Threads: d.Threads, Features: append([]string{}, d.Features...),
		})
	}
	if !c.json {
		return nil
	}
	return c.printJSON(map[string]any{"devices": out})
}
