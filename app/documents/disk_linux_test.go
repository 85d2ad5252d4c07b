package documents_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/documents"
)

// On a full disk, a collection that cannot be opened is listed with the reason and not treated
// as missing. It can be removed, and it opens again when there is room.
func TestFullDiskIsNotAnEmptyStore(t *testing.T) {
	disk := apptest.SmallDisk(t, "8m")
	ctx, texts := context.Background(), papers(t)
	first := newApp(t, disk)
	indexed(t, first.Documents(), "", texts)
	if err := first.Close(ctx); err != nil {
		t.Fatal(err)
	}

	free := apptest.Fill(t, disk)
	s := newApp(t, disk).Documents()
	for what, err := range map[string]error{
		"all collections": second(s.Collections(ctx)),
		"one collection":  second(s.Collection(ctx, documents.DefaultName)),
		"adding to it":    second(s.Add(ctx, documents.AddRequest{Paths: []string{texts}})),
		"a search":        second(s.Search(ctx, documents.SearchRequest{Text: "lamp"})),
	} {
		if closed := (*documents.ClosedError)(nil); !errors.As(err, &closed) || !strings.Contains(err.Error(), "the collection Documents is there") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := s.Remove(ctx, documents.DefaultName); err != nil {
		t.Errorf("removing it: %v", err)
	}
	free()
	if list, err := s.Collections(ctx); err != nil || len(list) != 0 {
		t.Errorf("after removing it: %v, %v", list, err)
	}
}

func second[T any](_ T, err error) error { return err }
