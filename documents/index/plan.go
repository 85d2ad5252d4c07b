package index

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"inglenook/documents/store"
)

// job is a file that has to be looked at.
type job struct {
	found
	before store.File // what is known of it; the zero value: nothing
}

// plan is what a run has to do.
type plan struct {
	jobs []job
	gone []string // files that are no longer there
	// maybeMoved are gone too, and a new file has the size of one of them. They are
	// forgotten when the new ones are known, so that no text is embedded twice.
	maybeMoved []store.File
}

// makePlan compares the files below the roots with what is kept.
func (r *run) makePlan(ctx context.Context) error {
	list, lost, err := walk(ctx, r.request.Roots, orElse(r.MaxFile, defaultMaxFile), r.track.skipped)
	if err != nil {
		return err
	}
	known, err := r.Collection.Files(ctx, store.FileFilter{})
	if err != nil {
		return err
	}
	before := map[string]store.File{}
	for _, f := range known {
		before[f.Path] = f
	}
	list = withoutDoubles(list)
	lost = withoutDeleted(lost, before)
	r.plan = &plan{}
	here := map[string]bool{}
	for _, f := range list {
		here[f.path] = true
		if b := before[f.path]; !r.stands(b, f) {
			r.plan.jobs = append(r.plan.jobs, job{f, b})
		}
	}
	// Small files first: soon most of the files are found, and a run that is killed
	// has kept most of them.
	slices.SortStableFunc(r.plan.jobs, func(a, b job) int { return cmp.Compare(a.size, b.size) })
	if err := r.markLost(ctx, lost, before); err != nil {
		return err
	}
	r.plan.sortGone(r.gone(known, here, lost))
	r.track.planned(list, len(lost), r.plan)
	return nil
}

// withoutDeleted leaves out files that a person named and then deleted: the folder that
// they were in is there and they are not.
func withoutDeleted(lost []Skip, before map[string]store.File) []Skip {
	return slices.DeleteFunc(lost, func(s Skip) bool {
		_, err := os.Lstat(s.Path)
		_, folder := os.Stat(filepath.Dir(s.Path))
		return before[s.Path].Hash != "" && errors.Is(err, fs.ErrNotExist) && folder == nil
	})
}

// markLost keeps why places cannot be reached. What was known of a file stays.
func (r *run) markLost(ctx context.Context, lost []Skip, before map[string]store.File) error {
	for _, l := range lost {
		record := before[l.Path]
		record.Path, record.State, record.Reason = l.Path, store.Failed, l.Reason
		if record.Passages > 0 {
			record.State = store.Waiting
		}
		if err := r.Collection.Mark(ctx, record); err != nil {
			return err
		}
	}
	return nil
}

// withoutDoubles leaves each path once: roots may lie within each other.
func withoutDoubles(list []found) []found {
	slices.SortFunc(list, func(a, b found) int { return cmp.Compare(a.path, b.path) })
	return slices.CompactFunc(list, func(a, b found) bool { return a.path == b.path })
}

// stands reports whether what is known of a file still holds. A failure without a
// hash may have passed, so the file is looked at again.
func (r *run) stands(before store.File, now found) bool {
	switch before.State {
	case store.Indexed:
	case store.Skipped, store.Failed:
		if r.request.Retry || before.State == store.Failed && before.Hash == "" {
			return false
		}
	default: // waiting, or not known at all
		return false
	}
	return before.Size == now.size && before.Modified.Equal(now.modified)
}

// gone are the kept files below the roots that were not found, without those
// that cannot be reached just now, and those that leave.
func (r *run) gone(known []store.File, here map[string]bool, lost []Skip) []store.File {
	return slices.DeleteFunc(slices.Clone(known), func(f store.File) bool {
		covered := slices.ContainsFunc(r.request.Roots, func(root Root) bool { return within(root.Path, f.Path) })
		away := slices.ContainsFunc(lost, func(s Skip) bool { return within(s.Path, f.Path) })
		leaving := r.request.Leaving != nil && r.request.Leaving(f.Path)
		return here[f.Path] || !covered || away || leaving
	})
}

// sortGone splits what is gone into what may have moved and what has not.
func (p *plan) sortGone(gone []store.File) {
	sizes := map[int64]bool{}
	for _, j := range p.jobs {
		sizes[j.size] = true
	}
	for _, f := range gone {
		if sizes[f.Size] && f.Hash != "" {
			p.maybeMoved = append(p.maybeMoved, f)
		} else {
			p.gone = append(p.gone, f.Path)
		}
	}
}

// movedFrom returns where a file with a hash was before, if it is no longer there.
func (p *plan) movedFrom(hash string) string {
	i := slices.IndexFunc(p.maybeMoved, func(f store.File) bool { return f.Hash == hash })
	if i < 0 {
		return ""
	}
	return p.maybeMoved[i].Path
}

// moved are the paths of maybeMoved.
func (p *plan) moved() (paths []string) {
	for _, f := range p.maybeMoved {
		paths = append(paths, f.Path)
	}
	return paths
}
