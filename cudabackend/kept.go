package cudabackend

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"inglenook/cudabackend/own"
	"inglenook/durable"
	"inglenook/gpu/emulator/native/shim"
	"inglenook/gpu/msl"
)

// kept is a folder of compiled kernels. Its name has the architecture, the digest of
// everything else that the code depends on, and the compiler's version. Nothing in it is
// needed: what cannot be read is compiled anew.
type kept struct {
	folder string // empty: nothing is kept
	once   sync.Once
}

// newKept returns the place for a program's kernels within a folder.
func newKept(p *msl.Program, folder, arch, compiler string) *kept {
	name := keptName(p, arch)
	if folder == "" || name == "" {
		return &kept{}
	}
	return &kept{folder: filepath.Join(folder, name+compiler)}
}

// findKept returns the newest place within a folder where kernels of this program are kept,
// whichever compiler made them; nil if there is none.
func findKept(p *msl.Program, folder, arch string) *kept {
	name := keptName(p, arch)
	if folder == "" || name == "" {
		return nil
	}
	places, err := filepath.Glob(filepath.Join(escape.Replace(folder), name+"*"))
	if err != nil {
		return nil
	}
	var best *kept
	var latest time.Time
	for _, place := range places {
		if info, err := os.Stat(place); err == nil && info.IsDir() && (best == nil || info.ModTime().After(latest)) {
			best, latest = &kept{folder: place}, info.ModTime()
		}
	}
	return best
}

// escape lets a path stand for itself in a pattern.
var escape = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// keptName returns how the names of places begin that keep a program's kernels, "" where
// that cannot be told.
func keptName(p *msl.Program, arch string) string {
	digest := sha256.New()
	if err := p.WriteCUDA(digest); err != nil {
		return ""
	}
	for _, h := range shim.CUDA {
		text, err := fs.ReadFile(shim.Files, h.Path)
		if err != nil {
			return ""
		}
		digest.Write(text)
	}
	if err := own.Write(digest); err != nil {
		return ""
	}
	return arch + "-" + hex.EncodeToString(digest.Sum(nil)[:8]) + "-"
}

// code returns the code of a kernel from its file, or from compile, and then keeps it.
func (k *kept) code(name, constants string, compile func() ([]byte, error)) ([]byte, error) {
	if k.folder == "" {
		return compile()
	}
	path := filepath.Join(k.folder, strings.NewReplacer("=", "_", " ", "-").Replace(strings.TrimSpace(name+" "+constants))+".cubin")
	if code := read(path); code != nil {
		return code, nil
	}
	code, err := compile()
	if err != nil {
		return nil, err
	}
	k.once.Do(k.forgetOthers)
	sum := sha256.Sum256(code)
	_ = durable.Write(path, append(sum[:], code...), 0o600) // a full disk only costs time
	return code, nil
}

// read returns the code in a file after its digest, nil where the two do not agree.
func read(path string) []byte {
	data, err := os.ReadFile(path)
	if err != nil || len(data) <= sha256.Size {
		return nil
	}
	code := data[sha256.Size:]
	if sum := sha256.Sum256(code); !bytes.Equal(sum[:], data[:sha256.Size]) {
		return nil
	}
	return code
}

// forgetOthers removes what earlier versions of the program or the compiler left for
// the same architecture.
func (k *kept) forgetOthers() {
	arch, _, _ := strings.Cut(filepath.Base(k.folder), "-")
	others, err := filepath.Glob(filepath.Join(escape.Replace(filepath.Dir(k.folder)), arch+"-*"))
	if err != nil {
		return
	}
	for _, other := range others {
		if other != k.folder {
			_ = os.RemoveAll(other)
		}
	}
}
