package library

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"inglenook/hub/cache"
	"inglenook/hub/repo"
)

// Facts are what the files of a model tell beside the model: its licence, as its
// README states it, and the commit of a Hub snapshot; empty where there is none.
func (l *Service) Facts(ctx context.Context, id string) (licence, revision string) {
	p, err := l.Locate(ctx, id)
	if err != nil {
		return "", ""
	}
	return licenceOf(ctx, p), p.revision()
}

// revision is the commit whose snapshot the place is; empty: it is none.
func (p Location) revision() string {
	if commit := path.Base(p.Sub); path.Base(path.Dir(p.Sub)) == "snapshots" && repo.ValidCommit(commit) {
		return commit
	}
	return ""
}

// licenceOf reads the licence from the front matter of the README (Hugging Face's
// documentation: "Model Cards"); empty where there is none.
func licenceOf(ctx context.Context, p Location) string {
	folder, closer, err := p.Open(ctx)
	if err != nil {
		return ""
	}
	defer closer.Close()
	return readmeLicence(folder)
}

func readmeLicence(folder fs.FS) string {
	f, err := folder.Open("README.md")
	if err != nil {
		return ""
	}
	defer f.Close()
	return frontMatterLicence(f)
}

// mostFrontMatter bounds what is read of a README.
const mostFrontMatter = 64 << 10

func frontMatterLicence(readme io.Reader) string {
	lines := bufio.NewScanner(io.LimitReader(readme, mostFrontMatter))
	licence, name := "", ""
	for first := true; lines.Scan(); first = false {
		line := strings.TrimRight(lines.Text(), " \r")
		if line = strings.TrimPrefix(line, "\ufeff"); first != (line == "---") {
			break // not the front matter, or its end
		}
		if value, ok := strings.CutPrefix(line, "license:"); ok {
			licence = plainValue(value)
		}
		if value, ok := strings.CutPrefix(line, "license_name:"); ok {
			name = plainValue(value)
		}
	}
	if licence == "other" && name != "" {
		return name
	}
	return licence
}

// plainValue is a YAML scalar on one line, short enough to show.
func plainValue(value string) string {
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	if len(value) > 100 || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' }) {
		return ""
	}
	return value
}

// RevisionOf is the installed commit that a Hub id stands for here.
func (l *Service) RevisionOf(ctx context.Context, id string) string {
	if p, err := l.Locate(ctx, id); err == nil {
		return p.revision()
	}
	return ""
}

// RepoOf is the Hub id of the repository that a model is of: its own, except for one of
// several forms, which goes by its path.
func (l *Service) RepoOf(ctx context.Context, model string) string {
	p, err := l.Locate(ctx, model)
	if err != nil || p.revision() == "" {
		return model
	}
	if id, ok := cache.IDOfFolder(filepath.Base(p.root)); ok {
		return id
	}
	return model
}
