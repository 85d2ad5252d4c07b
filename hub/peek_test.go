package hub

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"inglenook/hub/fault"
	"inglenook/hub/hubtest"
)

func TestPeek(t *testing.T) {
	s := startHub(t)
	data := bytes.Repeat([]byte("0123456789"), 1000)
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{{Path: "model.gguf", Data: data, LFS: true}, {Path: "config.json", Data: []byte("{}")}}})
	c := connect(t, s.URL())
	ctx := context.Background()
	info, err := c.Info(ctx, "org/name", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range info.Files {
		for _, r := range [][2]int64{{0, 10}, {0, 0}, {1, f.Size}, {0, 1 << 20}} {
			if r[0] > f.Size {
				continue
			}
			want := data[r[0]:min(r[1], int64(len(data)))]
			if f.Path == "config.json" {
				want = []byte("{}")[r[0]:min(r[1], 2)]
			}
			got, err := c.Peek(ctx, info.ID, info.Commit, f, r[0], r[1])
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s %v: %d bytes, %v", f.Path, r, len(got), err)
			}
		}
	}
	weights := info.Files[1]
	if sent := s.Sent(); sent > 64<<10 {
		t.Errorf("%d bytes were sent", sent)
	}
	for _, name := range []string{"ignores the range", "closes halfway", "closes at once"} {
		s.Misbehave(hubtest.Named(name).OnlyFirst(1))
		if got, err := c.Peek(ctx, info.ID, info.Commit, weights, 20, 40); err != nil || string(got) != "01234567890123456789" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		s.Misbehave()
	}
	s.Misbehave(hubtest.Named("shifts Content-Range"))
	if _, err := c.Peek(ctx, info.ID, info.Commit, weights, 20, 40); !errors.Is(err, fault.ErrProtocol) || strings.Contains(err.Error(), "\n") {
		t.Errorf("a wrong part was taken: %v", err)
	}
	for _, bad := range [][2]int64{{-1, 3}, {5, 2}, {20000, 20001}} {
		if _, err := c.Peek(ctx, info.ID, info.Commit, weights, bad[0], bad[1]); err == nil {
			t.Errorf("%v was read", bad)
		}
	}
}
