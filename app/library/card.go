package library

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
)

// mostCard bounds what is read of a model's card.
const mostCard = 256 << 10

// Card is the README that lies beside a model, as Markdown without its front matter; "":
// there is none. Nothing that it names is opened.
func (l *Service) Card(ctx context.Context, id string) (string, error) {
	p, err := l.Locate(ctx, id)
	if err != nil {
		return "", err
	}
	folder, closer, err := p.Open(ctx)
	if err != nil {
		return "", p.Blame(ctx, folder, err)
	}
	defer closer.Close()
	f, err := folder.Open("README.md")
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", p.Blame(ctx, folder, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostCard))
	if err != nil {
		return "", p.Blame(ctx, folder, err)
	}
	text := withoutFrontMatter(strings.ToValidUTF8(string(data), "\uFFFD"))
	if len(data) == mostCard {
		text += "\n\n…"
	}
	return text, nil
}

// withoutFrontMatter cuts off the lines between two lines of ---, if a text begins with them.
func withoutFrontMatter(text string) string {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return strings.TrimSpace(text)
	}
	if strings.HasPrefix(rest, "---\n") {
		return strings.TrimSpace(rest[4:])
	}
	if _, body, found := strings.Cut(rest, "\n---\n"); found {
		return strings.TrimSpace(body)
	}
	if strings.HasSuffix(rest, "\n---") {
		return ""
	}
	return strings.TrimSpace(text) // it does not end
}
