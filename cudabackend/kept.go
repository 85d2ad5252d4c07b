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

	"inglenook/cudabackend/nvrtc"
	"inglenook/cudabackend/own"
	"inglenook/durable"
	"inglenook/gpu/emulator/native/shim"
	"inglenook/gpu/msl"
)

// kept is a folder of compiled kernels. Its name has the digest of everything that the
// code depends on: source, headers, compiler, architecture. Nothing in it is needed: what
// cannot be read is compiled anew.
type kept struct {
	folder string // empty: nothing is kept
	once   sync.Once
}

// newKept returns the place for a program's kernels within a folder.
func newKept(p *msl.Program, folder, arch string) *kept {
	if folder == "" {
		return &kept{}
	}
	digest := sha256.New()
	if err := p.WriteCUDA(digest); err != nil {
		return &kept{}
	}
	for _, h := range shim.CUDA {
		text, err := fs.ReadFile(shim.Files, h.Path)
		if err != nil {
			return &kept{}
		}
		digest.Write(text)
	}
	if err := own.Write(digest); err != nil {
		return &kept{}
	}
	version, err := nvrtc.Version()
	if err != nil {
		return &kept{}
	}
	digest.Write([]byte(version))
	return &kept{folder: filepath.Join(folder, arch+"-"+hex.EncodeToString(digest.Sum(nil)[:8]))}
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
	others, err := filepath.Glob(filepath.Join(filepath.Dir(k.folder), arch+"-*"))
	if err != nil {
		return
	}
	for _, other := range others {
		if other != k.folder {
			_ = os.RemoveAll(other)
		}
	}
}
