package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
)

// foundJSON is a model that a search found, with what it would be on this computer.
type foundJSON struct {
	ID         string        `json:"id"`
	Task       string        `json:"task"`
	Licence    string        `json:"licence"`
	Gated      bool          `json:"gated"`
	Downloads  int64         `json:"downloads"`
	Parameters int64         `json:"parameters"`
	Variant    string        `json:"variant"` // of the weights, that a pull takes
	Bytes      int64         `json:"bytes"`   // that a pull fetches
	Memory     int64         `json:"memory"`  // that it takes on the first device; 0: unknown
	Reason     string        `json:"reason"`  // why there is no verdict
	Devices    []verdictJSON `json:"devices"`
}

// lookAbreast is how many models a search looks at at the same time.
const lookAbreast = 4

func searchModels(ctx context.Context, c *call, m *modelsFlags, text string) error {
	found, err := c.SearchHub(ctx, downloads.SearchRequest{Text: text, Limit: m.limit})
	if err != nil {
		return err
	}
	list := make([]foundJSON, len(found))
	slots := make(chan struct{}, lookAbreast)
	var all sync.WaitGroup
	for i, f := range found {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			list[i] = c.lookAt(ctx, f)
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.json {
		return c.printJSON(list)
	}
	for _, f := range list {
		c.printFound(f)
	}
	if len(list) == 0 {
		c.printf("The Hub has no model with weights in safetensors or GGUF that matches %q.\n", text)
	}
	return nil
}

// lookAt reads the head of a model's weights on the Hub and has it judged.
func (c *call) lookAt(ctx context.Context, f downloads.Found) foundJSON {
	out := foundJSON{
		ID: f.ID, Task: f.Task, Licence: f.Licence, Gated: f.Gated, Downloads: f.Downloads, Parameters: f.Parameters,
		Bytes: f.Bytes, Devices: []verdictJSON{},
	}
	p, err := c.Preview(ctx, downloads.PreviewRequest{ID: f.ID})
	if err != nil {
		out.Reason = oneLine(err)
		return out
	}
	v := p.Variants[p.Chosen]
	out.Variant, out.Bytes, out.Memory, out.Reason = v.Name, v.Bytes, v.Needs, p.Unread
	out.Devices = verdicts(p.Compat)
	if p.Compat.Parameters > 0 {
		out.Parameters = p.Compat.Parameters
	}
	return out
}

func (c *call) printFound(f foundJSON) {
	c.printf("%s\n    %s, %s, %s, %s", f.ID, f.Task, parameters(f.Parameters), f.Variant, humanize.Bytes(uint64(max(0, f.Bytes))))
	if f.Licence != "" {
		c.printf(", licence %s", f.Licence)
	}
	if f.Gated {
		c.printf(", gated: its terms have to be accepted first")
	}
	c.printf(", %s downloads\n", humanize.Comma(f.Downloads))
	if f.Reason != "" {
		c.printf("    no verdict: %s\n", f.Reason)
	}
	for _, d := range f.Devices {
		switch {
		case d.Verdict == fit.VerdictFull && f.Memory > 0:
			c.printf("    %s: %s, %s of memory\n", d.Device, d.Verdict, humanize.Bytes(uint64(f.Memory)))
		case d.Verdict != fit.VerdictNo, d.Device == "cpu": // why others are missing is no news about a model
			c.printf("    %s: %s %s\n", d.Device, d.Verdict, d.Reason)
		}
	}
}

// pullEvent is one line of a download: "progress" some times a second, at the end "done".
type pullEvent struct {
	Event     string  `json:"event"`
	ID        string  `json:"id"`
	Revision  string  `json:"revision"`
	Commit    string  `json:"commit"`
	State     string  `json:"state,omitempty"`
	Why       string  `json:"why,omitempty"`
	Done      int64   `json:"done"`
	Total     int64   `json:"total"`
	Files     int     `json:"files"`
	FilesDone int     `json:"files_done"`
	Fetched   int64   `json:"fetched"` // over the network, in this run
	Speed     float64 `json:"bytes_per_s"`
	Left      float64 `json:"seconds_left"` // 0: unknown
	Path      string  `json:"path,omitempty"`
	Unchecked bool    `json:"unchecked,omitempty"` // the Hub could not be asked; this was here already
}

func pullModel(ctx context.Context, c *call, m *modelsFlags, id string) error {
	start := time.Now()
	said := ""
	pulled, err := c.PullModel(ctx, downloads.DownloadRequest{ID: id, Revision: m.revision, Files: m.files, Wait: m.wait}, func(p downloads.Download) {
		switch {
		case c.json:
			_ = c.printJSON(pullEvent{
				Event: "progress", ID: p.ID, Revision: p.Revision, Commit: p.Commit, State: p.State, Why: p.Why, Done: p.Done, Total: p.Total,
				Files: p.Files, FilesDone: p.FilesDone, Fetched: p.Fetched, Speed: p.Speed, Left: p.Left.Seconds(),
			})
			_ = c.out.Flush()
		case p.Why != "" && p.Why != said:
			said = p.Why
			c.clearBar()
			fmt.Fprintln(c.stderr, "waiting: "+inLine(p.Why))
		default:
			c.progress(base.Progress{Stage: "downloading", Done: p.Done, Total: p.Total, Unit: "bytes", Left: p.Left, Speed: p.Speed})
		}
	})
	if errors.Is(err, context.Canceled) {
		c.clearBar()
		fmt.Fprintln(c.stderr, "The part that arrived is kept; run the same command to continue.")
	}
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(pullEvent{
			Event: "done", ID: pulled.ID, Revision: pulled.Revision, Commit: pulled.Commit, Done: pulled.Bytes, Total: pulled.Bytes,
			Files: len(pulled.Files), FilesDone: len(pulled.Files), Fetched: pulled.Fetched, Path: pulled.Path, Unchecked: pulled.Unchecked,
		})
	}
	c.clearBar()
	spent := max(time.Since(start), time.Millisecond)
	switch {
	case pulled.Unchecked:
		c.printf("%s is here already; the Hub could not be reached to look for a newer revision.\n", id)
	case pulled.Fetched == 0:
		c.printf("%s is already installed, at revision %.12s.\n", id, pulled.Commit)
	default:
		c.printf("%s, revision %.12s: %s, %s, of which %s came now (%s/s), every one verified.\n", id, pulled.Commit, plural(len(pulled.Files), "file"),
			humanize.Bytes(uint64(pulled.Bytes)), humanize.Bytes(uint64(pulled.Fetched)), humanize.Bytes(uint64(float64(pulled.Fetched)/spent.Seconds())))
	}
	c.printf("%s\n", pulled.Path)
	return nil
}

type verifyJSON struct {
	Files []fileCheckJSON `json:"files"`
}

type fileCheckJSON struct {
	Path   string     `json:"path"`
	Bytes  int64      `json:"bytes"`
	SHA256 string     `json:"sha256"`
	OK     bool       `json:"ok"`
	Reason string     `json:"reason,omitempty"`
	Bad    [][2]int64 `json:"bad,omitempty"` // first byte, and the one after the last
}

func verifyModel(ctx context.Context, c *call, m *modelsFlags, id string) error {
	checks, err := c.CheckFiles(ctx, id, c.progress)
	if err == nil && m.repair && damaged(checks) > 0 {
		if _, err = c.RepairModel(ctx, id, c.progress); err == nil {
			checks, err = c.CheckFiles(ctx, id, c.progress)
		}
	}
	if err != nil {
		return err
	}
	c.clearBar()
	out := verifyJSON{Files: []fileCheckJSON{}}
	for _, f := range checks {
		one := fileCheckJSON{Path: f.Path, Bytes: f.Size, SHA256: f.SHA256, OK: f.OK, Reason: f.Why}
		for _, s := range f.Bad {
			one.Bad = append(one.Bad, [2]int64{s.From, s.To})
		}
		out.Files = append(out.Files, one)
		if !c.json && !f.OK {
			c.printf("%s: %s\n", f.Path, f.Why)
		}
	}
	if c.json {
		if err := c.printJSON(out); err != nil {
			return err
		}
	}
	if n := damaged(checks); n > 0 {
		return fmt.Errorf("%d of %s of %s are not as the Hub has them; models verify --repair %s fetches what is damaged", n, plural(len(checks), "file"), id, id)
	}
	if !c.json {
		c.printf("%s: %s, all as the Hub has them.\n", id, plural(len(checks), "file"))
	}
	return nil
}

func damaged(checks []downloads.FileCheck) (n int) {
	for _, f := range checks {
		if !f.OK {
			n++
		}
	}
	return n
}

type removedJSON struct {
	ID    string `json:"id"`
	Freed int64  `json:"freed_bytes"`
	Kept  bool   `json:"files_kept"` // an added model: its files are the person's own
}

func removeModel(ctx context.Context, c *call, _ *modelsFlags, id string) error {
	out := removedJSON{ID: id}
	if found, err := c.Resolve(ctx, id); err == nil && found.Source != library.SourceHubCache {
		if err := c.ForgetModel(found.ID); err != nil {
			return err
		}
		out.ID, out.Kept = found.ID, true
	} else {
		removed, err := c.RemoveModel(id)
		if err != nil {
			return err
		}
		if out.Freed, err = c.DeleteRemoved(removed); err != nil {
			return err
		}
	}
	switch {
	case c.json:
		return c.printJSON(out)
	case out.Kept:
		c.printf("%s is no longer on the list; its files stay where they are.\n", out.ID)
	default:
		c.printf("Removed %s; freed %s.\n", id, humanize.Bytes(uint64(out.Freed)))
	}
	return nil
}
