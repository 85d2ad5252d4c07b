package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/documents"
)

func collectionsCommand() command {
	return command{
		name: "collections", args: "list | remove NAME | move NAME", about: "List what is indexed, and what is not and why; delete an index, or move it to another store",
		examples: []string{"inglenook collections list", "inglenook collections remove Notes        # the files stay", "inglenook collections move Notes --store postgres://anna@db.example.com/team"},
		setup: func(f *flags) action {
			f.withStore()
			back := f.Bool("back", false, "of move: from the database to this computer")
			f.require(func(args []string) error {
				switch {
				case len(args) > 0 && args[0] == "move":
					if len(args) != 2 || f.store == "" {
						return errors.New("collections move needs the name of a collection, and --store with the database that it goes to, or comes from with --back")
					}
					return nil
				case *back:
					return errors.New("--back goes with move")
				case len(args) == 1 && args[0] == "list", len(args) == 2 && args[0] == "remove":
					return nil
				case len(args) == 1 && args[0] == "remove":
					return errors.New("collections remove needs the name of a collection")
				case len(args) == 0:
					return errors.New("say what to do: list, remove NAME, move NAME")
				}
				return fmt.Errorf("%q does not fit; it is collections list, remove NAME or move NAME", strings.Join(args, " "))
			})
			return func(ctx context.Context, c *call) error {
				if c.args[0] == "move" {
					return moveCollection(ctx, c, f.store, *back)
				}
				if err := f.useStore(c); err != nil {
					return err
				}
				if c.args[0] == "remove" {
					return removeCollection(ctx, c, c.args[1])
				}
				return listCollections(ctx, c)
			}
		},
	}
}

type collectionJSON struct {
	ID         string           `json:"id"`
	Name       string           `json:"name"`
	Embedder   string           `json:"embedder"`
	Folders    []folderJSON     `json:"folders"`
	Files      int              `json:"files"`
	Chunks     int              `json:"chunks"`
	Bytes      int64            `json:"bytes"`
	Checked    int              `json:"checked_searches,omitempty"`
	Same       int              `json:"same_as_exact,omitempty"`
	Unread     int              `json:"unread,omitempty"` // of a run that goes on or was ended early
	LeftOut    int              `json:"left_out"`         // met and not looked at: hidden files, links to folders, no regular files
	NotIndexed []notIndexedJSON `json:"not_indexed"`
}

type folderJSON struct {
	Path    string   `json:"path"`
	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`
}

type notIndexedJSON struct {
	Path   string `json:"path"`
	State  string `json:"state"`
	Reason string `json:"reason"`
}

func listCollections(ctx context.Context, c *call) error {
	all, err := c.Documents().Collections(ctx)
	if err != nil {
		return err
	}
	c.note(c.Documents().ClosedNotes(ctx)...)
	out := []collectionJSON{}
	for _, x := range all {
		one := collectionJSON{
			ID: x.ID, Name: x.Name, Embedder: x.Model, Folders: []folderJSON{}, Files: x.Files, Chunks: x.Passages, Bytes: x.Bytes,
			Checked: x.Checks.Checked, Same: x.Checks.Same, Unread: x.Unread, LeftOut: x.LeftOut, NotIndexed: []notIndexedJSON{},
		}
		for _, f := range x.Folders {
			one.Folders = append(one.Folders, folderJSON(f))
		}
		troubles, err := c.Documents().Health(ctx, x.ID)
		if err != nil {
			return err
		}
		for _, f := range troubles {
			one.NotIndexed = append(one.NotIndexed, notIndexedJSON{f.Path, string(f.State), f.Reason})
		}
		out = append(out, one)
		if !c.json {
			c.printCollection(x, one)
		}
	}
	if c.json {
		return c.printJSON(out)
	}
	if len(all) == 0 {
		c.printf("Nothing is indexed yet. Begin with: inglenook index FOLDER\n")
	}
	return nil
}

func (c *call) printCollection(x documents.Collection, j collectionJSON) {
	c.printf("%s\n    %s, %s, %s on disk", x.Name, plural(x.Files, "file"), plural(x.Passages, "passage"), humanize.Bytes(uint64(x.Bytes)))
	if x.Model != "" {
		c.printf(", embedded with %s", x.Model)
	}
	if len(x.Folders) > 0 {
		c.printf("\n    of %s", shortFolders(x.Folders))
	}
	c.printf("\n")
	for _, about := range []string{x.Held.About("passage"), x.AboutChecks()} {
		if about != "" {
			c.printf("    %s\n", about)
		}
	}
	if x.Unread > 0 {
		c.printf("    %s still to be read; inglenook index --collection %q goes on\n", plural(x.Unread, "file"), x.Name)
	}
	if x.LeftOut > 0 {
		c.printf("    %s left out, such as hidden files and links to folders; inglenook index names them\n", wasOrWere(x.LeftOut))
	}
	for _, f := range j.NotIndexed {
		c.printf("    %s: %s: %s\n", f.State, base.ShortPath(f.Path), f.Reason)
	}
}

// wasOrWere begins a sentence about a number of things.
func wasOrWere(n int) string {
	if n == 1 {
		return "1 more thing was"
	}
	return fmt.Sprintf("%d more things were", n)
}

type removedCollectionJSON struct {
	Name  string `json:"name"`
	Freed int64  `json:"freed_bytes"`
}

func removeCollection(ctx context.Context, c *call, name string) error {
	x, err := c.Documents().Collection(ctx, name)
	if closed := (*documents.ClosedError)(nil); errors.As(err, &closed) { // also that can be removed, which frees space
		x, err = documents.Collection{ID: closed.ID, Name: closed.Name}, nil
	}
	if err != nil {
		return err
	}
	if err := c.Documents().Remove(ctx, x.ID); err != nil {
		return err
	}
	if c.json {
		return c.printJSON(removedCollectionJSON{x.Name, x.Bytes})
	}
	if x.Bytes == 0 {
		c.printf("The index of %s is deleted. Its files stay where they are.\n", x.Name)
		return nil
	}
	c.printf("The index of %s is deleted, which frees %s. Its files stay where they are.\n", x.Name, humanize.Bytes(uint64(x.Bytes)))
	return nil
}

type movedJSON struct {
	Name     string `json:"name"`
	Files    int    `json:"files"`
	Passages int    `json:"passages"`
}

func moveCollection(ctx context.Context, c *call, address string, back bool) error {
	moved, err := c.Documents().Move(ctx, c.args[1], address, back, c.progress)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(movedJSON(moved))
	}
	where := "in the database"
	if back {
		where = "on this computer"
	}
	c.printf("%s is %s now, with %s and %s.\n", moved.Name, where, plural(moved.Files, "file"), plural(moved.Passages, "passage"))
	return nil
}
