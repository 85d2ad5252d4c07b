package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"

	"golang.org/x/text/encoding/charmap"

	"inglenook/documents/extract/format"
)

// crypt is the standard security handler (ISO 32000-2, 7.6.4) with an open file
// key.
type crypt struct {
	key      []byte
	ofText   method
	ofStream method
	metadata bool // whether metadata streams are encrypted
}

// method is how strings or streams are encrypted.
type method uint8

const (
	plain method = iota
	useRC4
	useAES128
	useAES256
)

// padding completes passwords of the older revisions (algorithm 2).
const padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

// unlock finds the file's key with the password, or with none: many files are
// only locked against changes.
func (f *File) unlock(password string) error {
	f.crypt = nil
	if f.trailer["Encrypt"] == nil || f.ended() {
		return f.failed
	}
	d := f.dict(f.trailer["Encrypt"])
	if d == nil {
		return format.DamagedBy(errNoPages)
	}
	if f.name(d["Filter"]) != "Standard" {
		return format.Errorf(format.Unsupported, "it is protected in a way that cannot be opened here")
	}
	c, ok := f.newCrypt(d)
	if !ok {
		return format.Errorf(format.Unsupported, "it is encrypted in a way that cannot be opened here")
	}
	found := false
	for _, candidate := range []string{"", password} {
		if c.key = f.findKey(d, candidate); c.key != nil {
			found = true
			break
		}
	}
	switch {
	case found:
	case password != "":
		return format.Errorf(format.NeedsPassword, "it is locked, and its password is another one")
	default:
		return format.Errorf(format.NeedsPassword, "it is locked with a password")
	}
	for _, e := range []name{"O", "U", "OE", "UE", "Perms"} {
		d[e] = f.resolve(d[e]) // read before strings were decrypted
	}
	f.cache = map[int]object{}
	f.packs = map[int]*pack{}
	f.crypt = c
	if f.rebuilt {
		f.learnPacks()
	}
	return f.failed
}

// newCrypt reads how strings and streams are encrypted.
func (f *File) newCrypt(d dict) (*crypt, bool) {
	c := &crypt{metadata: f.resolve(d["EncryptMetadata"]) != false}
	switch f.integer(d["V"], 0) {
	case 1, 2, 3:
		c.ofText, c.ofStream = useRC4, useRC4
	case 4, 5:
		filters := f.dict(d["CF"])
		of := func(key name) (method, bool) {
			filter := f.name(d[key])
			if filter == "" || filter == "Identity" {
				return plain, true
			}
			switch f.name(f.dict(filters[filter])["CFM"]) {
			case "V2":
				return useRC4, true
			case "AESV2":
				return useAES128, true
			case "AESV3":
				return useAES256, true
			case "None":
				return plain, true
			}
			return plain, false
		}
		var ok1, ok2 bool
		c.ofText, ok1 = of("StrF")
		c.ofStream, ok2 = of("StmF")
		return c, ok1 && ok2
	default:
		return nil, false
	}
	return c, true
}

// findKey returns the file's key if the password is the user's or the owner's.
func (f *File) findKey(d dict, password string) []byte {
	revision := f.integer(d["R"], 0)
	if revision >= 5 {
		return f.findKey256(d, password, revision)
	}
	latin, err := charmap.Windows1252.NewEncoder().Bytes([]byte(password))
	if err != nil {
		latin = []byte(password)
	}
	if key := f.userKey(d, latin, revision); key != nil {
		return key
	}
	return f.userKey(d, f.userPassword(d, latin, revision), revision)
}

func padded(password []byte) []byte {
	return append(append([]byte{}, password...), padding...)[:32]
}

func (f *File) keyLength(d dict, revision int) int {
	if revision < 3 {
		return 5
	}
	if f.integer(d["V"], 0) == 4 {
		return 16
	}
	return max(5, min(16, f.integer(d["Length"], 40)/8))
}

// userKey returns the key of a user's password (algorithms 2, 4 and 5), or nil.
func (f *File) userKey(d dict, password []byte, revision int) []byte {
	owner, user := []byte(f.text(d["O"])), []byte(f.text(d["U"]))
	if len(owner) < 32 || len(user) < 16 {
		return nil
	}
	var id []byte
	if ids := f.array(f.trailer["ID"]); len(ids) > 0 {
		id = []byte(f.text(ids[0]))
	}
	h := md5.New()
	h.Write(padded(password))
	h.Write(owner[:32])
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(f.integer64(d["P"]))))
	h.Write(id)
	if revision >= 4 && f.resolve(d["EncryptMetadata"]) == false {
		h.Write([]byte{0xff, 0xff, 0xff, 0xff})
	}
	n := f.keyLength(d, revision)
	key := h.Sum(nil)
	if revision >= 3 {
		for range 50 {
			sum := md5.Sum(key[:n])
			key = sum[:]
		}
	}
	key = key[:n]
	if revision < 3 {
		if bytes.Equal(arcfour(key, []byte(padding)), user[:min(32, len(user))]) {
			return key
		}
		return nil
	}
	sum := md5.Sum(append([]byte(padding), id...))
	proof := sum[:]
	for i := range 20 {
		proof = arcfour(xored(key, byte(i)), proof)
	}
	if bytes.Equal(proof, user[:16]) {
		return key
	}
	return nil
}

// userPassword returns the user's password that the owner's opens (algorithm 7).
func (f *File) userPassword(d dict, ownerPassword []byte, revision int) []byte {
	owner := []byte(f.text(d["O"]))
	if len(owner) < 32 {
		return nil
	}
	sum := md5.Sum(padded(ownerPassword))
	n := f.keyLength(d, revision)
	rounds := 1
	if revision >= 3 {
		rounds = 20
		for range 50 {
			sum = md5.Sum(sum[:])
		}
	}
	opened := owner[:32]
	for i := rounds - 1; i >= 0; i-- {
		opened = arcfour(xored(sum[:n], byte(i)), opened)
	}
	return opened // with its padding, which padded leaves as it is
}

func (f *File) integer64(o object) int64 {
	switch n := f.resolve(o).(type) {
	case int64:
		return n
	case float64:
		return int64(n)
	}
	return 0
}

// findKey256 is the same for keys of 256 bits (algorithm 2.A).
func (f *File) findKey256(d dict, password string, revision int) []byte {
	pass := []byte(password)
	pass = pass[:min(len(pass), 127)]
	owner, user := []byte(f.text(d["O"])), []byte(f.text(d["U"]))
	ownerKey, userKey := []byte(f.text(d["OE"])), []byte(f.text(d["UE"]))
	if len(owner) < 48 || len(user) < 48 || len(ownerKey) < 32 || len(userKey) < 32 {
		return nil
	}
	owner, user = owner[:48], user[:48]
	hash := func(salt, extra []byte) []byte {
		if revision == 5 {
			sum := sha256.Sum256(bytes.Join([][]byte{pass, salt, extra}, nil))
			return sum[:]
		}
		return hash6(pass, salt, extra)
	}
	var key, sealed []byte
	switch {
	case bytes.Equal(hash(user[32:40], nil), user[:32]):
		key, sealed = hash(user[40:48], nil), userKey[:32]
	case bytes.Equal(hash(owner[32:40], user), owner[:32]):
		key, sealed = hash(owner[40:48], user), ownerKey[:32]
	default:
		return nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil
	}
	opened := make([]byte, 32)
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(opened, sealed)
	return opened
}

// hash6 is the hash of revision 6 (algorithm 2.B).
func hash6(password, salt, extra []byte) []byte {
	sum := sha256.Sum256(bytes.Join([][]byte{password, salt, extra}, nil))
	k := sum[:]
	for round := 0; ; round++ {
		once := bytes.Join([][]byte{password, k, extra}, nil)
		sealed := bytes.Repeat(once, 64)
		block, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(sealed, sealed)
		remainder := 0
		for _, c := range sealed[:16] {
			remainder += int(c)
		}
		switch remainder % 3 {
		case 0:
			sum := sha256.Sum256(sealed)
			k = sum[:]
		case 1:
			sum := sha512.Sum384(sealed)
			k = sum[:]
		default:
			sum := sha512.Sum512(sealed)
			k = sum[:]
		}
		if round >= 63 && int(sealed[len(sealed)-1]) <= round-31 {
			return k[:32]
		}
	}
}

func arcfour(key, data []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		return nil
	}
	out := make([]byte, len(data))
	c.XORKeyStream(out, data)
	return out
}

func xored(key []byte, with byte) []byte {
	out := make([]byte, len(key))
	for i := range key {
		out[i] = key[i] ^ with
	}
	return out
}

// decrypted returns an object with its strings decrypted. The streams in it are
// decrypted when they are decoded.
func (f *File) decrypted(o object, id ref) object {
	if f.crypt == nil || f.crypt.ofText == plain {
		return o
	}
	switch v := o.(type) {
	case text:
		return text(f.crypt.open(f.crypt.ofText, []byte(v), id))
	case array:
		for i := range v {
			v[i] = f.decrypted(v[i], id)
		}
	case dict:
		for key := range v {
			v[key] = f.decrypted(v[key], id)
		}
	case *stream:
		f.decrypted(v.dict, id)
	}
	return o
}

// stream decrypts the bytes of a stream.
func (c *crypt) stream(f *File, s *stream) []byte {
	if f.name(s.dict["Type"]) == "Metadata" && !c.metadata || s.id == (ref{}) {
		return s.raw
	}
	for _, filter := range f.list(s.dict, "Filter", "F") {
		if f.name(filter) == "Crypt" {
			return s.raw // its own filter, which is the identity in practice
		}
	}
	return c.open(c.ofStream, s.raw, s.id)
}

// open decrypts the bytes of an object (algorithms 1 and 1.A).
func (c *crypt) open(m method, data []byte, id ref) []byte {
	key := c.key
	if m == useRC4 || m == useAES128 {
		salted := append(append([]byte{}, key...), byte(id.number), byte(id.number>>8), byte(id.number>>16), byte(id.generation), byte(id.generation>>8))
		if m == useAES128 {
			salted = append(salted, "sAlT"...)
		}
		sum := md5.Sum(salted)
		key = sum[:min(16, len(c.key)+5)]
	}
	switch m {
	case useRC4:
		return arcfour(key, data)
	case useAES128, useAES256:
		return unCBC(key, data)
	}
	return data
}

// unCBC decrypts AES in chains of blocks; the first block is the initial vector,
// and the last byte says how much of the end is padding.
func unCBC(key, data []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil || len(data) < 2*aes.BlockSize {
		return nil
	}
	vector, data := data[:aes.BlockSize], data[aes.BlockSize:]
	out := make([]byte, len(data)&^(aes.BlockSize-1))
	cipher.NewCBCDecrypter(block, vector).CryptBlocks(out, data[:len(out)])
	if n := int(out[len(out)-1]); n >= 1 && n <= aes.BlockSize {
		out = out[:len(out)-n]
	}
	return out
}
