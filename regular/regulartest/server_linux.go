package regulartest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"sync"
	"syscall"
	"time"
)

// server is the program behind a disk. It is a process of its own: the system lets no
// process end while one of its calls waits for an answer.
type server struct {
	device int
	nodes  []node // by number, which begins at 1 for the top folder

	mu     sync.Mutex
	silent map[string]Silence // by path; "" are all
}

type node struct {
	path   string // with slashes; "" is the top folder
	folder bool
	data   []byte
}

// longest is how long a server lives, whatever becomes of its test.
const longest = 2 * time.Minute

// init makes a test's program a server where NewDisk started it as one.
func init() {
	dir, asked := os.LookupEnv(serverOf)
	if !asked {
		return
	}
	time.AfterFunc(longest, func() { os.Exit(1) })
	if err := run(dir); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// run serves a mounted folder until its input ends. The input begins with the files
// and goes on with commands; each is answered with an empty line.
func run(dir string) error {
	in := json.NewDecoder(os.Stdin)
	var files map[string][]byte
	if err := in.Decode(&files); err != nil {
		return err
	}
	d := &server{nodes: []node{{}, {folder: true}}, silent: map[string]Silence{}}
	for name, data := range files {
		d.put(name, data)
	}
	if err := d.mount(dir); err != nil {
		return err
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	go d.serve()
	fmt.Println()
	for {
		var c command
		if err := in.Decode(&c); err != nil {
			return nil // the end
		}
		d.mu.Lock()
		d.silent[c.Name] = c.What
		d.mu.Unlock()
		fmt.Println()
	}
}

// mount makes a connection and hands it to the system.
func (d *server) mount(dir string) error {
	fd, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=%d,group_id=%d", fd, os.Getuid(), os.Getgid())
	if err := syscall.Mount("silent", dir, "fuse", syscall.MS_NOSUID|syscall.MS_NODEV, options); err != nil {
		return errors.Join(err, syscall.Close(fd))
	}
	d.device = fd
	return nil
}

func (d *server) keepsSilent(n uint64, what Silence) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return (d.silent[d.nodes[n].path]|d.silent[""])&what != 0
}

// put adds a file and the folders above it.
func (d *server) put(name string, data []byte) {
	if above := path.Dir(name); above != "." && d.find(above) == 0 {
		d.nodes = append(d.nodes, node{path: above, folder: true})
	}
	d.nodes = append(d.nodes, node{path: name, data: data})
}

// find returns the number of a node; 0: there is none.
func (d *server) find(name string) uint64 {
	for n := range d.nodes[2:] {
		if d.nodes[n+2].path == name {
			return uint64(n + 2)
		}
	}
	return 0
}

// The requests that are answered (linux/fuse.h).
const (
	lookup     = 1
	forget     = 2
	getattr    = 3
	open       = 14
	read       = 15
	statfs     = 17
	release    = 18
	flush      = 25
	initialize = 26
	opendir    = 27
	readdir    = 28
	releasedir = 29
	interrupt  = 36
	forgetMany = 42
)

// serve answers requests until the mount is gone. The answers to lookups are valid for
// no time, so that the system asks each time.
func (d *server) serve() {
	request := make([]byte, 1<<20+4096)
	for {
		n, err := syscall.Read(d.device, request)
		if err == syscall.EINTR || err == syscall.ENOENT { // a call was given up
			continue
		}
		if err != nil {
			return
		}
		le := binary.LittleEndian
		op, unique, number, body := le.Uint32(request[4:]), le.Uint64(request[8:]), le.Uint64(request[16:]), request[40:n]
		answer, fault := d.answer(op, number, body)
		if op == forget || op == forgetMany || op == interrupt || fault == errSilent {
			continue
		}
		out := le.AppendUint32(nil, uint32(16+len(answer)))
		out = le.AppendUint32(out, uint32(-int32(fault)))
		_, _ = syscall.Write(d.device, append(le.AppendUint64(out, unique), answer...)) // fails for a call that was given up
	}
}

// errSilent means no answer at all.
const errSilent = syscall.Errno(1 << 20)

func (d *server) answer(op uint32, n uint64, body []byte) ([]byte, syscall.Errno) {
	le := binary.LittleEndian
	switch op {
	case initialize:
		out := make([]byte, 64) // no read-ahead, no extras
		le.PutUint32(out, 7)
		le.PutUint32(out[4:], 31)
		le.PutUint32(out[20:], 1<<16) // the largest write
		return out, 0
	case lookup:
		name := path.Join(d.nodes[n].path, string(bytes.TrimRight(body, "\x00")))
		child := d.find(name)
		if child == 0 {
			return nil, syscall.ENOENT
		}
		if d.keepsSilent(child, Opening) {
			return nil, errSilent
		}
		out := append(le.AppendUint64(nil, child), make([]byte, 32)...)
		return append(out, d.attributes(child)...), 0
	case getattr:
		if d.keepsSilent(n, Opening) {
			return nil, errSilent
		}
		return append(make([]byte, 16), d.attributes(n)...), 0
	case open, opendir:
		if d.keepsSilent(n, Opening) {
			return nil, errSilent
		}
		return make([]byte, 16), 0
	case read:
		if d.keepsSilent(n, Reading) {
			return nil, errSilent
		}
		data := d.nodes[n].data
		from := min(le.Uint64(body[8:]), uint64(len(data)))
		return data[from:min(from+uint64(le.Uint32(body[16:])), uint64(len(data)))], 0
	case readdir:
		if d.keepsSilent(n, Listing) {
			return nil, errSilent
		}
		return d.names(n, le.Uint64(body[8:])), 0
	case statfs:
		if d.keepsSilent(n, Opening) {
			return nil, errSilent
		}
		return make([]byte, 80), 0
	case release, releasedir, flush:
		return nil, 0
	}
	return nil, syscall.ENOSYS
}

// attributes are struct fuse_attr.
func (d *server) attributes(n uint64) []byte {
	le := binary.LittleEndian
	out := make([]byte, 88)
	mode, size := uint32(syscall.S_IFREG|0o444), uint64(len(d.nodes[n].data))
	if d.nodes[n].folder {
		mode, size = syscall.S_IFDIR|0o555, 0
	}
	le.PutUint64(out, n)
	le.PutUint64(out[8:], size)
	le.PutUint32(out[60:], mode)
	le.PutUint32(out[64:], 1)
	le.PutUint32(out[80:], 4096)
	return out
}

// names are struct fuse_dirent, from a number of names on.
func (d *server) names(n, from uint64) []byte {
	le := binary.LittleEndian
	var out []byte
	at := uint64(0)
	for number, child := range d.nodes {
		above := path.Dir(child.path)
		if number < 2 || strings.TrimPrefix(above, ".") != d.nodes[n].path {
			continue
		}
		if at++; at <= from {
			continue
		}
		kind := uint32(syscall.DT_REG)
		if child.folder {
			kind = syscall.DT_DIR
		}
		name := path.Base(child.path)
		out = le.AppendUint64(le.AppendUint64(out, uint64(number)), at)
		out = le.AppendUint32(le.AppendUint32(out, uint32(len(name))), kind)
		out = append(out, name...)
		out = append(out, make([]byte, -len(name)&7)...)
	}
	return out
}
