package chats

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"time"
)

// The versions of the records. A field that is added later goes to the end of its
// record or part and is zero in older ones. Any other change needs a new kind of
// record, and a new version if an older program must not write next to it.
//
// Version 2 added other parts than text and files to messages, and arbitrary roles;
// version 3 added parts in any order (places.go). An older program would treat such a
// message as damage, or lose some of it. So a frame with the version precedes the message:
// an older program stops there and reports that a newer one wrote the file. Folders
// without such messages remain in version 1.
const (
	firstVersion = 1
	version      = 3
)

// The kinds of records on disk.
const (
	kindVersion = iota // the version of the following records; first in each file
	kindHead
	kindMessage
	kindAppend
	kindFinish
	kindMark
	kindPurge
)

// encoder appends fields to a payload.
type encoder struct{ b []byte }

func (e *encoder) uint(v uint64)        { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)          { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) text(s string)        { e.uint(uint64(len(s))); e.b = append(e.b, s...) }
func (e *encoder) float(v float64)      { e.uint(math.Float64bits(v)) }
func (e *encoder) time(t time.Time)     { e.int(micro(t)) }
func (e *encoder) span(d time.Duration) { e.int(int64(d)) }

func (e *encoder) bool(v bool) {
	if v {
		e.uint(1)
	} else {
		e.uint(0)
	}
}

// part appends fields as one unit, so that other fields can be added after them later.
func (e *encoder) part(add func(*encoder)) {
	var inner encoder
	add(&inner)
	e.text(string(inner.b))
}

// micro returns a time in microseconds since 1970, 0 for the zero time.
func micro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// decoder reads fields from a payload. Past the end all fields read as zero; after an
// error bad is set.
type decoder struct {
	s   string
	bad bool
}

func (d *decoder) uint() (v uint64) {
	if d.s == "" {
		return 0
	}
	for shift := 0; len(d.s) > 0; shift += 7 {
		b := d.s[0]
		d.s = d.s[1:]
		if shift == 63 && b > 1 {
			break
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	d.bad = true
	return 0
}

func (d *decoder) int() int64 {
	v := d.uint()
	return int64(v>>1) ^ -int64(v&1)
}

func (d *decoder) text() string {
	n := d.uint()
	if n > uint64(len(d.s)) {
		d.bad = true
		return ""
	}
	s := d.s[:n]
	d.s = d.s[n:]
	return s
}

func (d *decoder) bool() bool          { return d.uint() != 0 }
func (d *decoder) float() float64      { return finite(math.Float64frombits(d.uint())) }
func (d *decoder) span() time.Duration { return time.Duration(d.int()) }

// count reads the number of items that follow, each of at least one byte.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.s)) {
		d.bad = true
		return 0
	}
	return int(n)
}

func (d *decoder) time() time.Time {
	v := d.int()
	switch {
	case v == 0:
		return time.Time{}
	case v < 0 || v > maxTime.UnixMicro():
		d.bad = true
	}
	return time.UnixMicro(v)
}

// finite returns v, or 0 if JSON cannot represent it.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

func (d *decoder) part() decoder { return decoder{s: d.text()} }

// join records an error in a part.
func (d *decoder) join(part decoder) { d.bad = d.bad || part.bad }

func (r headRecord) encode(e *encoder) {
	h := r.head
	e.uint(kindHead)
	e.text(h.ID)
	e.bool(h.Titled)
	e.text(personal(h))
	e.bool(h.Pinned)
	e.time(h.Created)
	e.time(h.Updated)
	e.time(h.Deleted)
	e.text(h.System)
	e.text(string(h.Settings))
	e.int(h.Leaf)
	e.int(r.next)
}

// personal returns the title if the user set it; an automatic title is computed again
// when it is read.
func personal(h Conversation) string {
	if h.Titled {
		return h.Title
	}
	return ""
}

func (d *decoder) head() record {
	var r headRecord
	h := &r.head
	h.ID, h.Titled, h.Title, h.Pinned = d.text(), d.bool(), d.text(), d.bool()
	h.Created, h.Updated, h.Deleted = d.time(), d.time(), d.time()
	h.System = d.text()
	if settings := d.text(); settings != "" {
		h.Settings = []byte(settings)
		d.bad = d.bad || !json.Valid(h.Settings)
	}
	h.Leaf, r.next = d.int(), d.int()
	return r
}

func (r messageRecord) encode(e *encoder) {
	m, content := r.message, placesOf(r.message.Parts)
	e.uint(kindMessage)
	e.text(r.conversation)
	e.int(m.ID)
	e.int(m.Parent)
	e.text(m.Role)
	e.text(m.State)
	e.time(m.Time)
	e.text(content.text)
	e.text(m.Thinking)
	e.uint(uint64(len(content.files)))
	for _, f := range content.files {
		e.part(func(e *encoder) { e.file(f) })
	}
	e.reply(m.Reply)
	e.time(m.deleted)
	e.int(m.was)
	if len(content.rest) == 0 {
		return
	}
	e.uint(uint64(len(content.rest)))
	for _, p := range content.rest {
		e.part(func(e *encoder) {
			e.text(p.Kind)
			e.text(string(p.Data))
			e.file(p)
		})
	}
}

// file appends the fields of a part that a text file has.
func (e *encoder) file(p Part) {
	e.text(p.Name)
	e.text(p.Text)
	e.int(int64(p.Tokens))
}

func (d *decoder) message() record {
	r := messageRecord{d.text(), &message{}}
	m := r.message
	m.ID, m.Parent, m.Role, m.State, m.Time = d.int(), d.int(), d.role(), d.text(), d.time()
	var content places
	content.text, m.Thinking = d.text(), d.text()
	for range d.count() {
		part := d.part()
		content.files = append(content.files, part.file(PartFile, nil))
		d.join(part)
	}
	m.Reply = d.reply()
	m.deleted, m.was = d.time(), d.int()
	for range d.count() {
		part := d.part()
		content.rest = append(content.rest, part.file(part.text(), []byte(part.text())))
		d.join(part)
	}
	m.Parts = content.parts()
	return r
}

// file reads the fields of a part that a text file has.
func (d *decoder) file(kind string, data []byte) Part {
	if len(data) == 0 {
		data = nil
	}
	return Part{Kind: kind, Data: data, Name: d.text(), Text: d.text(), Tokens: int(d.int())}
}

// role reads a role. It returns the usual ones as constants, so that they take no
// memory of their own.
func (d *decoder) role() string {
	switch role := d.text(); role {
	case "":
		d.bad = true
		return ""
	case RoleUser:
		return RoleUser
	case RoleAssistant:
		return RoleAssistant
	default:
		return role
	}
}

func (e *encoder) reply(r *Reply) {
	if r == nil {
		e.text("")
		return
	}
	e.part(func(e *encoder) {
		e.text(r.Model)
		e.text(r.ModelName)
		e.text(r.Device)
		e.uint(uint64(len(r.Fallbacks)))
		for _, f := range r.Fallbacks {
			e.text(f.Op)
			e.text(f.Reason)
		}
		e.uint(uint64(len(r.Notices)))
		for _, n := range r.Notices {
			e.text(n)
		}
		for _, n := range []int{r.PromptTokens, r.Reused, r.Dropped, r.Tokens} {
			e.int(int64(n))
		}
		e.span(r.FirstToken)
		e.span(r.Took)
		e.span(r.Thought)
		e.float(r.Rate)
		e.text(r.Reason)
		e.text(r.Stop)
		e.text(r.Error)
		e.uint(r.Seed)
		e.uint(uint64(len(r.Claims)))
		for _, c := range r.Claims {
			e.part(func(e *encoder) { e.claim(c) })
		}
		if r.DraftGain != 0 { // a later field: most answers do not need it
			e.float(r.DraftGain)
		}
	})
}

func (e *encoder) claim(c Claim) {
	for _, n := range []int{c.Start, c.End, c.Passage, c.BestStart, c.BestEnd} {
		e.int(int64(n))
	}
	e.float(c.Score)
	e.text(c.Why)
}

func (d *decoder) reply() *Reply {
	part := d.part()
	if part.s == "" {
		return nil
	}
	r := &Reply{Model: part.text(), ModelName: part.text(), Device: part.text()}
	for range part.count() {
		r.Fallbacks = append(r.Fallbacks, Fallback{part.text(), part.text()})
	}
	for range part.count() {
		r.Notices = append(r.Notices, part.text())
	}
	for _, n := range []*int{&r.PromptTokens, &r.Reused, &r.Dropped, &r.Tokens} {
		*n = int(part.int())
	}
	r.FirstToken, r.Took, r.Thought, r.Rate = part.span(), part.span(), part.span(), part.float()
	r.Reason, r.Stop, r.Error, r.Seed = part.text(), part.text(), part.text(), part.uint()
	for range part.count() {
		claim := part.part()
		r.Claims = append(r.Claims, claim.claim())
		part.join(claim)
	}
	r.DraftGain = part.float()
	d.join(part)
	return r
}

func (d *decoder) claim() (c Claim) {
	for _, n := range []*int{&c.Start, &c.End, &c.Passage, &c.BestStart, &c.BestEnd} {
		*n = int(d.int())
	}
	c.Score, c.Why = d.float(), d.text()
	return c
}

func (r appendRecord) encode(e *encoder) {
	e.uint(kindAppend)
	e.text(r.conversation)
	e.int(r.id)
	e.bool(r.thinking)
	e.text(r.text)
}

func (r finishRecord) encode(e *encoder) {
	e.uint(kindFinish)
	e.text(r.conversation)
	e.int(r.id)
	e.text(r.state)
	e.reply(r.reply)
	e.time(r.at)
}

func (r markRecord) encode(e *encoder) {
	e.uint(kindMark)
	e.text(r.conversation)
	e.int(r.id)
	e.time(r.deleted)
	e.int(r.was)
	e.int(r.leaf)
}

func (r purgeRecord) encode(e *encoder) {
	e.uint(kindPurge)
	e.text(r.conversation)
}

// decode returns the record of a payload, or nil if it is not a known record. The
// texts of the record share one string. (A table of functions would put every decoder
// on the heap.)
func decode(payload []byte) record {
	d := decoder{s: string(payload)}
	var r record
	switch d.uint() {
	case kindHead:
		r = d.head()
	case kindMessage:
		r = d.message()
	case kindAppend:
		r = appendRecord{d.text(), d.int(), d.bool(), d.text()}
	case kindFinish:
		r = finishRecord{d.text(), d.int(), d.text(), d.reply(), d.time()}
	case kindMark:
		r = markRecord{d.text(), d.int(), d.time(), d.int(), d.int()}
	case kindPurge:
		r = purgeRecord{d.text()}
	}
	if d.bad {
		return nil
	}
	return r
}

// versionOf returns the version stated by the first payload of a file, 0 if it is
// another record.
func versionOf(payload []byte) uint64 {
	if payload[0] != kindVersion {
		return 0
	}
	d := decoder{s: string(payload[1:])}
	return d.uint()
}

// encodeFrame appends a record as a frame, preceded by a frame with its version unless
// that is the first.
func encodeFrame(dst []byte, r record) []byte {
	if m, ok := r.(messageRecord); ok {
		if v := versionOfMessage(m.message.Message); v > firstVersion {
			dst = versionFrame(dst, byte(v))
		}
	}
	return appendFrame(dst, func(b []byte) []byte {
		e := encoder{b}
		r.encode(&e)
		return e.b
	})
}

// versionFrame appends a frame with a version. Each file begins with the first
// version.
func versionFrame(dst []byte, v byte) []byte {
	return appendFrame(dst, func(b []byte) []byte { return append(b, kindVersion, v) })
}

// fileHead returns the beginning of each file.
func fileHead() []byte { return versionFrame(nil, firstVersion) }
