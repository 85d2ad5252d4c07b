package app

import (
	"bytes"
	"testing"
	"time"

	"inglenook/app/downloads"
	"inglenook/hub/hubtest"
)

// A cancelled download is off the list, and comes back with what it had; once it is dropped, nothing
// of it is left.
func TestCancelledDownloadComesBack(t *testing.T) {
	a, server := hubApp(t)
	big := hubtest.File{Path: "model.safetensors", Data: bytes.Repeat([]byte("weights!"), 1<<19), LFS: true}
	server.Add(hubtest.Repo{ID: "org/big", Files: []hubtest.File{{Path: "config.json", Data: []byte("{}")}, big}})
	server.Throttle(1 << 20)
	if err := a.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/big"}); err != nil {
		t.Fatal(err)
	}
	for len(a.Downloads()) == 0 || a.Downloads()[0].Done < 1<<19 {
		time.Sleep(5 * time.Millisecond)
	}
	if err := a.SetAside("org/big", "main"); err != nil || len(a.Downloads()) != 0 {
		t.Fatalf("set aside: %v, the list has %v", err, a.Downloads())
	}
	server.Throttle(0)
	sent := server.Sent()
	if err := a.BringBack("org/big", "main"); err != nil {
		t.Fatal(err)
	}
	done := await(t, a, "org/big", downloads.DownloadDone)
	if rest := server.Sent() - sent; rest > done.Total-1<<18 {
		t.Errorf("%d of %d bytes came anew", rest, done.Total)
	}
	server.Add(hubtest.Repo{ID: "org/other", Files: []hubtest.File{{Path: "config.json", Data: []byte("{}")}, big}})
	server.Throttle(1 << 18)
	if err := a.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/other"}); err != nil {
		t.Fatal(err)
	}
	if err := a.SetAside("org/other", "main"); err != nil {
		t.Fatal(err)
	}
	if err := a.CancelDownload("org/other", "main"); err != nil {
		t.Error(err)
	}
	if err := a.BringBack("org/other", "main"); err == nil {
		t.Error("what was dropped came back")
	}
}

// A model that is not deleted, because it is still being downloaded, leaves what was set aside of it as
// it is.
func TestRefusedDeletionKeepsWhatWasSetAside(t *testing.T) {
	a, server := hubApp(t)
	files := toyFiles(t, "../models/testdata/f16/bert", 0)
	server.Add(hubtest.Repo{ID: "org/bert", Files: files})
	if err := a.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/bert"}); err != nil {
		t.Fatal(err)
	}
	await(t, a, "org/bert", downloads.DownloadDone)
	a.ClearDownloads()
	big := hubtest.File{Path: "more.safetensors", Data: bytes.Repeat([]byte("weights!"), 1<<19), LFS: true}
	server.Add(hubtest.Repo{ID: "org/bert", Files: append(files, big)})
	newer, err := a.UpdateOf(t.Context(), "org/bert")
	if err != nil || newer == "" {
		t.Fatalf("no newer commit: %q, %v", newer, err)
	}
	server.Throttle(1 << 17)
	for _, revision := range []string{"main", newer} {
		if err := a.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/bert", Revision: revision}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.SetAside("org/bert", "main"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.RemoveModel("org/bert"); err == nil {
		t.Fatal("a model was deleted of which a part was on its way")
	}
	if err := a.BringBack("org/bert", "main"); err != nil {
		t.Errorf("what was set aside is gone: %v", err)
	}
}
