package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/app/devices"
	"inglenook/app/documents"
)

func indexCommand() command {
	return command{
		name: "index", args: "[PATH…]", about: "Read files and folders, so that search finds passages in them",
		examples: []string{
			"inglenook index ~/Letters ~/Manuals",
			"inglenook index ~/Notes --collection Notes --include '*.md' --exclude drafts",
			"inglenook index --collection Notes                     # again, what is new or has changed",
			"inglenook index ~/Letters --store postgres://me@server/team # into a database that a team shares",
			"inglenook index contract.pdf --password contract.pdf=secret",
		},
		setup: func(f *flags) action {
			var add documents.AddRequest
			var r documents.IndexRequest
			var include, exclude, passwords patterns
			f.StringVar(&add.Collection, "collection", documents.DefaultName, "put the files into the collection `NAME`, made if there is none")
			f.StringVar(&r.Model, "model", "", "embed with `MODEL` from now on: "+modelForms)
			f.withDevice()
			f.oneOf(&r.Weights, "weights", "", devices.WeightTypes(), "hold weights as `TYPE`, as in the file (auto) or quantized while loading; without this flag in 8 bits on the processor, if a check on the first passages finds that faster and as good")
			f.withStore()
			f.Var(&include, "include", "take files that match `GLOB` alone, such as *.pdf or notes/**/*.md (can be given again)")
			f.Var(&exclude, "exclude", "leave out files and folders that match `GLOB` (can be given again)")
			f.Var(&passwords, "password", "`FILE=PASSWORD` opens a locked file (can be given again)")
			f.BoolVar(&r.Retry, "retry", false, "try files again that were not indexed and have not changed")
			f.require(func([]string) (err error) {
				if strings.TrimSpace(add.Collection) == "" {
					return errors.New("--collection is empty; give the name of a collection, or leave it out")
				}
				r.Passwords, err = passwordsOf(passwords)
				return err
			})
			return func(ctx context.Context, c *call) error {
				add.Include, add.Exclude, add.Model, r.Device = include, exclude, r.Model, f.device
				if err := f.useStore(c); err != nil {
					return err
				}
				return indexFiles(ctx, c, add, r)
			}
		},
	}
}

// passwordsOf reads FILE=PASSWORD.
func passwordsOf(list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, entry := range list {
		file, password, ok := strings.Cut(entry, "=")
		if !ok || file == "" || password == "" {
			return nil, errors.New("--password does not fit; give FILE=PASSWORD")
		}
		out[file] = password
	}
	return out, nil
}

// indexEvent is one line: "planned", "file", "left_out", "removed" and "note" as it happens,
// "progress" some times a second, at the end "done".
type indexEvent struct {
	Event    string `json:"event"`
	Path     string `json:"path,omitempty"`
	From     string `json:"from,omitempty"` // where a file was that moved
	State    string `json:"state,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Passages int    `json:"passages,omitempty"` // of the file; at the end, of the run
	Note     string `json:"note,omitempty"`     // a sentence about the model

	Files     int     `json:"files"` // to be looked at
	FilesDone int     `json:"files_done"`
	Unchanged int     `json:"unchanged"`
	Tokens    int64   `json:"tokens"`
	Speed     float64 `json:"tokens_per_s"`
	Left      float64 `json:"seconds_left"` // 0: unknown
}

// indexDone is the last line.
type indexDone struct {
	Event      string  `json:"event"`
	Collection string  `json:"collection"`
	Model      string  `json:"model"`
	Device     string  `json:"device"`
	Weights    string  `json:"weights,omitempty"` // how they are held, where that is noted
	Files      int     `json:"files"`
	Unchanged  int     `json:"unchanged"`
	Indexed    int     `json:"indexed"`
	Linked     int     `json:"linked"`                   // moved or copied
	Others     int     `json:"by_others,omitempty"`      // indexed by other processes meanwhile
	Left       int     `json:"left_to_others,omitempty"` // that other processes still work on
	Skipped    int     `json:"skipped"`
	Failed     int     `json:"failed"`
	Removed    int     `json:"removed"`
	Lost       int     `json:"lost"` // could not be reached
	Passages   int     `json:"passages"`
	Anew       int     `json:"embedded_anew,omitempty"` // passages that were known and got vectors of another model
	Tokens     int64   `json:"tokens"`
	Seconds    float64 `json:"seconds"`
	Speed      float64 `json:"tokens_per_s"`
}

func indexFiles(ctx context.Context, c *call, add documents.AddRequest, r documents.IndexRequest) error {
	r.Collection = add.Collection
	if len(c.args) > 0 {
		add.Paths, r.Paths = c.args, c.args
		if _, err := c.Documents().Add(ctx, add); err != nil {
			return err
		}
	}
	got, err := c.Documents().Index(ctx, r, c.indexed, c.progress)
	c.clearBar()
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(c.stderr, "What was indexed is kept; run the same command to continue.")
	}
	if err != nil {
		return err
	}
	if err := c.printDone(got); err != nil {
		return err
	}
	if got.Files == 0 && got.Lost > 0 {
		return errors.New("nothing could be reached; the reasons stand above. What was indexed before is still found: inglenook collections remove NAME deletes it")
	}
	if got.Failed > 0 && got.Indexed+got.Linked+got.Others+got.LeftToOthers+got.Unchanged == 0 {
		return fmt.Errorf("nothing could be read: %s failed; the reasons stand above, and inglenook collections list repeats them", plural(got.Failed, "file"))
	}
	return nil
}

// printDone prints what a run did.
func (c *call) printDone(got documents.IndexResult) error {
	if c.json {
		return c.printJSON(indexDone{
			Event: "done", Collection: got.Collection.Name, Model: got.Collection.Model, Device: got.Device, Weights: got.Collection.Held.Weights,
			Files: got.Files, Unchanged: got.Unchanged, Indexed: got.Indexed, Linked: got.Linked, Others: got.Others, Left: got.LeftToOthers, Skipped: got.Skipped, Failed: got.Failed,
			Removed: got.Removed, Lost: got.Lost, Passages: got.Passages, Anew: got.Anew, Tokens: got.Tokens, Seconds: got.Took.Seconds(), Speed: got.TokensPerSecond(),
		})
	}
	c.printIndexed(got)
	return nil
}

// indexed prints what happens to the files.
func (c *call) indexed(e documents.Event) {
	if c.json {
		_ = c.printJSON(indexEvent{
			Event: string(e.Kind), Path: e.Path, From: e.From, State: string(e.State), Reason: e.Reason, Passages: e.Passages, Note: e.Note,
			Files: e.Progress.Files, FilesDone: e.Progress.FilesDone, Unchanged: e.Progress.Unchanged,
			Tokens: e.Progress.Tokens, Speed: e.Progress.Speed, Left: e.Progress.Left.Seconds(),
		})
		_ = c.out.Flush()
		return
	}
	if e.Note != "" {
		c.clearBar()
		fmt.Fprintln(c.stderr, inLine(e.Note))
		return
	}
	if e.Reason != "" {
		c.clearBar()
		fmt.Fprintf(c.stderr, "not indexed: %s: %s\n", inLine(e.Path), inLine(strings.TrimSuffix(e.Reason, ".")))
	}
	if p := e.Progress; p.Files > 0 {
		line := fmt.Sprintf("indexing: %s of %s", humanize.Comma(int64(p.FilesDone)), plural(p.Files, "file"))
		if p.Speed > 0 {
			line += fmt.Sprintf(", %s tokens/s", speed(p.Speed))
		}
		if p.Left > 0 {
			line += fmt.Sprintf(", %s left", p.Left.Round(time.Second))
		}
		c.show(line)
	}
}

func (c *call) printIndexed(r documents.IndexResult) {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{r.Indexed, "read"},
		{r.Linked, "known already by their content"},
		{r.Others, "indexed meanwhile by another Inglenook"},
		{r.LeftToOthers, "still being indexed by another Inglenook"},
		{r.Unchanged, "unchanged"},
		{r.Removed, "gone"},
		{r.Skipped, "without text to index"},
		{r.Failed, "failed"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", humanize.Comma(int64(p.n)), p.what))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no files"}
	}
	c.printf("%s: %s.\n", r.Collection.Name, strings.Join(parts, ", "))
	if r.Anew > 0 {
		c.printf("%s of these files got vectors of %s in place of those of another model.\n", plural(r.Anew, "passage"), r.Collection.Model)
	}
	if r.Tokens > 0 {
		c.printf("%s, %s tokens in %s with %s on %s: %s tokens/s\n", plural(r.Passages, "passage"), humanize.Comma(r.Tokens),
			r.Took.Round(time.Millisecond), r.Collection.Model, r.Device, speed(r.TokensPerSecond()))
	}
	if about := r.Collection.Held.About("passage"); about != "" && r.Tokens > 0 {
		c.printf("%s\n", about)
	}
	if n := r.Collection.Failed + r.Collection.Skipped; n > 0 {
		c.printf("inglenook collections list says why %s not indexed.\n", areNot(n))
	}
}

func areNot(n int) string {
	if n == 1 {
		return "1 file is"
	}
	return fmt.Sprintf("%d files are", n)
}
