package library

import (
	"context"
	"io"
	"io/fs"
	"strings"

	"inglenook/pipeline"
	"inglenook/pipeline/words"
)

// About is what the files of a model say beside what Model has. Each part is empty where they say nothing.
type About struct {
	Template string             // of conversations, in Jinja
	Sampling *pipeline.Sampling // how its makers would choose tokens
	Licence  string             // its text, or else its name
}

// About reads what the files of a model say. There are none of a server's model.
func (l *Service) About(ctx context.Context, m Model) (a About, err error) {
	if m.Source == SourceServer {
		return a, nil
	}
	p, err := l.Locate(ctx, m.ID)
	if err != nil {
		return a, err
	}
	folder, closer, err := p.Open(ctx)
	if err != nil {
		return a, err
	}
	defer closer.Close()
	said, err := words.Open(folder, p.WeightsFile)
	if err != nil {
		return a, p.Blame(ctx, folder, err)
	}
	if p.Source != SourceFile { // beside a file may lie the licence of something else
		a.Licence = licenceText(folder)
	}
	if a.Licence == "" {
		a.Licence = said.Licence()
	}
	if a.Licence == "" {
		a.Licence = readmeLicence(folder)
	}
	if !m.Writes() {
		return a, nil
	}
	how, err := said.Generation()
	if err != nil {
		return a, p.Blame(ctx, folder, err)
	}
	if how.Stated {
		a.Sampling = &how.Sampling
	}
	if m.Kind == KindChat {
		a.Template, err = said.Template()
	}
	return a, err
}

// mostLicence bounds what is read of a licence, in bytes.
const mostLicence = 256 << 10

// licenceText is the text of the licence in a folder; empty: there is none.
func licenceText(folder fs.FS) string {
	for _, name := range []string{"LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "COPYING"} {
		f, err := folder.Open(name)
		if err != nil {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(f, mostLicence))
		f.Close()
		if text := strings.TrimSpace(strings.ToValidUTF8(string(data), "\uFFFD")); err == nil && text != "" {
			return text
		}
	}
	return ""
}
