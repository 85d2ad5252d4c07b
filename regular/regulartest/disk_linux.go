package regulartest

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// serverOf is the variable that holds the folder that a server mounts.
const serverOf = "INGLENOOK_TEST_DISK"

// Disk is a mounted file system that can fall silent.
type Disk struct {
	Dir string

	tell   io.WriteCloser
	answer *bufio.Reader
	server *exec.Cmd
	ended  bool
}

// command makes a disk keep silent about a file; "" are all.
type command struct {
	Name string
	What Silence
}

// NewDisk mounts a file system with files, by path. Without the right to mount one the
// test is skipped.
func NewDisk(t testing.TB, files map[string][]byte) *Disk {
	t.Helper()
	d := &Disk{Dir: t.TempDir(), server: exec.Command(os.Args[0])}
	d.server.Env = append(os.Environ(), serverOf+"="+d.Dir)
	var err error
	if d.tell, err = d.server.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := d.server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	d.answer = bufio.NewReader(out)
	if err := d.server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.End)
	if said := d.send(files); said != "" {
		t.Skip("no file system in user space can be mounted here: ", said)
	}
	return d
}

// send sends the server one message and returns its answer.
func (d *Disk) send(message any) string {
	if err := json.NewEncoder(d.tell).Encode(message); err != nil {
		return err.Error()
	}
	line, err := d.answer.ReadString('\n')
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(line)
}

// Silence makes the disk keep silent about one file, or about all with the name "".
func (d *Disk) Silence(t testing.TB, name string, what Silence) {
	t.Helper()
	if said := d.send(command{name, what}); said != "" {
		t.Fatal(said)
	}
}

// End takes the server away: every call that waits fails, and so do later ones.
func (d *Disk) End() {
	if d.ended {
		return
	}
	d.ended = true
	d.tell.Close()
	_ = d.server.Wait()
}
