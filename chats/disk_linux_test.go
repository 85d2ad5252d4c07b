package chats

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// smallDisk mounts a disk of 256 KiB.
func smallDisk(t *testing.T) string {
	disk := t.TempDir()
	if err := syscall.Mount("inglenook", disk, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("a small disk cannot be mounted here; only the system's administrator may")
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, 0) })
	return disk
}

// fill fills a disk and returns a function that frees it again.
func fill(t *testing.T, disk string) (free func()) {
	name := filepath.Join(disk, "ballast")
	f := must(os.Create(name))(t)
	for _, err := f.Write(make([]byte, 4096)); err == nil; _, err = f.Write(make([]byte, 512)) {
	}
	f.Close()
	return func() { try(t, os.Remove(name)) }
}

// untilSafe waits until the keeper has written what a disk refused.
func untilSafe(s *Store) {
	for s.Trouble() != nil {
		time.Sleep(time.Millisecond)
	}
}

func unsavedError(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, ErrUnsaved) || !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EROFS) || strings.Contains(err.Error(), "/") {
		t.Errorf("the error is %v", err)
	}
}

// Changes that a full disk refuses are kept in memory, can be read, and are written when
// there is room, even if the disk accepted a part of a record.
func TestFullDisk(t *testing.T) {
	disk := smallDisk(t)
	dir := filepath.Join(disk, "chats")
	s := open(t, dir, quick)
	id := must(s.Create(Conversation{}))(t)
	w := must(s.Begin(id, 0, Message{}))(t)
	try(t, w.Append("before ", false))
	free := fill(t, disk)
	long := strings.Repeat("while it is full ", 1000)
	unsavedError(t, w.Append(long, false))
	unsavedError(t, w.Append("and after", false))
	unsavedError(t, w.Finish(StateComplete, &Reply{Model: "m"}))
	other, err := s.Create(Conversation{System: "made on a full disk"})
	unsavedError(t, err)
	unsavedError(t, s.Trouble())
	if c, err := s.Conversation(id); err != nil || c.Messages[0].Text() != "before "+long+"and after" || len(s.List()) != 2 {
		t.Errorf("%d conversations, %v", len(s.List()), err)
	}
	before := s.dump()
	free()
	untilSafe(s)
	try(t, s.Close())
	s = open(t, dir)
	if diff := firstDifference(s.dump(), before); diff != "" {
		t.Error(diff)
	}
	if _, err := s.Conversation(other); err != nil {
		t.Error(err)
	}
}

// The store opens on a full disk, works, and saves when there is room.
func TestStartOnFullDisk(t *testing.T) {
	disk := smallDisk(t)
	dir := filepath.Join(disk, "chats")
	try(t, os.Mkdir(dir, 0o700))
	free := fill(t, disk)
	s := open(t, dir, quick)
	id, err := s.Create(Conversation{})
	unsavedError(t, err)
	if _, err := s.Add(id, Message{Role: RoleUser, Parts: Content("hello")}); err == nil {
		t.Error("saved without room")
	}
	before := s.dump()
	free()
	untilSafe(s)
	try(t, s.Close())
	s = open(t, dir)
	if diff := firstDifference(s.dump(), before); diff != "" {
		t.Error(diff)
	}
}

// A compaction that does not fit on the disk changes nothing.
func TestNoRoomForCompaction(t *testing.T) {
	disk := smallDisk(t)
	dir := filepath.Join(disk, "chats")
	s := open(t, dir, idle)
	id := must(s.Create(Conversation{System: strings.Repeat("x", 140<<10)}))(t)
	if err := s.compact(); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("a second copy fits: %v", err)
	}
	must(s.Add(id, Message{Role: RoleUser, Parts: Content("afterwards")}))(t)
	before := s.dump()
	try(t, s.Close())
	if names := files(t, dir, "*"); len(names) != 3 { // two logs and the lock
		t.Errorf("the files are %v", names)
	}
	s = open(t, dir)
	if diff := firstDifference(s.dump(), before); diff != "" {
		t.Error(diff)
	}
}

// On a read-only disk the conversations can be read. Changes return an error that says they
// last only until the program ends.
func TestReadOnlyDisk(t *testing.T) {
	disk := smallDisk(t)
	dir := filepath.Join(disk, "chats")
	s := open(t, dir, quick)
	id := must(s.Create(Conversation{System: "kept"}))(t)
	w := must(s.Begin(id, 0, Message{}))(t)
	try(t, w.Append("words", false))
	try(t, w.Finish(StateComplete, nil))
	try(t, s.Close())
	log := files(t, dir, "*.log")[0]
	try(t, os.Truncate(log, must(os.Stat(log))(t).Size()-2))
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip("the small disk cannot be made read-only here")
	}
	s, notices := openNoticed(t, dir, quick)
	if c, err := s.Conversation(id); err != nil || c.Messages[0].Text() != "words" || len(notices) != 2 {
		t.Errorf("%+v, notices %q, error %v", c, notices, err)
	}
	unsavedError(t, s.SetTitle(id, "new"))
	if s.List()[0].Title != "new" {
		t.Error("the change does not hold")
	}
	unsavedError(t, s.Close())
}
