package hubtest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault is one way to misbehave.
type Fault struct {
	Name  string
	Where string // "api", "resolve" (the Hub's address of a file) or "files" (the second server)
	Path  string // only files whose name ends like this; "": all
	Times int    // how many responses it affects; 0: all
	used  int
	apply func(a *answer) (done bool)
}

// OnlyFirst limits the fault to the first n responses.
func (f Fault) OnlyFirst(n int) Fault { f.Times = n; return f }

// For limits the fault to files whose name has this ending.
func (f Fault) For(ending string) Fault { f.Path = ending; return f }

// Named returns one of Faults by name.
func Named(name string) Fault {
	all := Faults()
	i := slices.IndexFunc(all, func(f Fault) bool { return f.Name == name })
	if i < 0 {
		panic("hubtest: there is no fault " + name)
	}
	return all[i]
}

func onFiles(name string, apply func(a *answer) bool) Fault {
	return Fault{Name: name, Where: "files", apply: apply}
}

func onResolve(name string, apply func(a *answer) bool) Fault {
	return Fault{Name: name, Where: "resolve", apply: apply}
}

func onAPI(name string, apply func(a *answer) bool) Fault {
	return Fault{Name: name, Where: "api", apply: apply}
}

func status(code int, header ...string) func(a *answer) bool {
	return func(a *answer) bool {
		for i := 0; i+1 < len(header); i += 2 {
			a.w.Header().Set(header[i], header[i+1])
		}
		http.Error(a.w, "<html><body>"+http.StatusText(code)+"</body></html>", code)
		return true
	}
}

func redirect(code int, to string) func(a *answer) bool {
	return func(a *answer) bool {
		a.w.Header().Set("Location", strings.NewReplacer("SELF", "http://"+a.r.Host+a.r.URL.RequestURI(), "FILES", a.s.files.URL).Replace(to))
		a.w.WriteHeader(code)
		return true
	}
}

// Faults returns all faults that the server knows, those in the bytes of files
// first.
func Faults() []Fault { return slices.Concat(cuts(), lies(), refusals(), answersOfAPI()) }

// cuts returns responses that end too early, too late or never.
func cuts() []Fault {
	return []Fault{
		onFiles("closes at once", func(a *answer) bool { a.drop(); return true }),
		onFiles("closes after the headers", func(a *answer) bool { a.head(); a.write(nil); a.drop(); return true }),
		onFiles("closes halfway", func(a *answer) bool {
			from, to := a.head()
			a.write(a.data[from : from+(to-from+1)/2])
			a.drop()
			return true
		}),
		onFiles("closes before the last byte", func(a *answer) bool {
			from, to := a.head()
			a.write(a.data[from:max(from, to-1)])
			a.drop()
			return true
		}),
		onFiles("ends chunks early", func(a *answer) bool {
			from, to := a.head("Content-Length", "")
			a.write(a.data[from : from+(to-from+1)/2])
			return true
		}),
		onFiles("ends chunks at once", func(a *answer) bool { a.head("Content-Length", ""); a.write(nil); return true }),
		onFiles("no length", func(a *answer) bool {
			from, to := a.head("Content-Length", "", "Connection", "close")
			a.write(a.data[from:to])
			return true
		}),
		onFiles("hangs before the headers", func(a *answer) bool { a.hang(); return true }),
		onFiles("hangs halfway", func(a *answer) bool {
			from, to := a.head()
			a.write(a.data[from : from+(to-from+1)/2])
			a.hang()
			return true
		}),
		onFiles("drips", func(a *answer) bool {
			from, to := a.head()
			for i := from; i < to && a.r.Context().Err() == nil; i++ {
				a.write(a.data[i : i+1])
				a.s.sleep(20 * time.Millisecond)
			}
			return true
		}),
		onFiles("promises a shorter body", func(a *answer) bool {
			from, to, _ := a.span()
			a.head("Content-Length", strconv.Itoa((to-from)/2))
			a.write(a.data[from : from+(to-from)/2])
			return true
		}),
		onFiles("promises a longer body", func(a *answer) bool {
			from, to, _ := a.span()
			a.head("Content-Length", strconv.Itoa(to-from+100))
			a.write(a.data[from:to])
			a.drop()
			return true
		}),
		onFiles("sends more than the range", func(a *answer) bool {
			from, to := a.head("Content-Length", "")
			a.write(a.data[from:to])
			a.write([]byte("and some more"))
			return true
		}),
	}
}

// hang keeps the connection open and silent.
func (a *answer) hang() {
	select {
	case <-a.r.Context().Done():
	case <-a.s.stop:
	}
	a.drop()
}

// lies returns responses with wrong headers or contents.
func lies() []Fault {
	return []Fault{
		onFiles("ignores the range", func(a *answer) bool { a.r.Header.Del("Range"); return false }),
		onFiles("shifts Content-Range", func(a *answer) bool {
			from, to, ranged := a.span()
			if !ranged {
				return false
			}
			a.head("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from+1, to, len(a.data)))
			a.write(a.data[from:to])
			return true
		}),
		onFiles("another total in Content-Range", func(a *answer) bool {
			from, to, ranged := a.span()
			if !ranged {
				return false
			}
			a.head("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, len(a.data)+1))
			a.write(a.data[from:to])
			return true
		}),
		onFiles("no Content-Range", func(a *answer) bool {
			from, to := a.head("Content-Range", "")
			a.write(a.data[from:to])
			return true
		}),
		onFiles("a shorter range", func(a *answer) bool {
			from, to, ranged := a.span()
			if !ranged || to-from < 2 {
				return false
			}
			half := from + (to-from)/2
			a.head("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, half-1, len(a.data)), "Content-Length", strconv.Itoa(half-from))
			a.write(a.data[from:half])
			return true
		}),
		onFiles("the bytes of another range", func(a *answer) bool {
			from, to := a.head()
			shift := min(7, from)
			a.write(a.data[from-shift : to-shift])
			return true
		}),
		onFiles("several ranges", func(a *answer) bool {
			from, to, ranged := a.span()
			if !ranged {
				return false
			}
			a.head("Content-Type", "multipart/byteranges; boundary=B", "Content-Range", "", "Content-Length", "")
			a.write(fmt.Appendf(nil, "--B\r\nContent-Range: bytes %d-%d/%d\r\n\r\n", from, to-1, len(a.data)))
			a.write(a.data[from:to])
			a.write([]byte("\r\n--B--\r\n"))
			return true
		}),
		onFiles("a flipped bit", func(a *answer) bool {
			from, to := a.head()
			data := slices.Clone(a.data[from:to])
			if len(data) > 0 {
				data[len(data)/2] ^= 0x10
			}
			a.write(data)
			return true
		}),
		onFiles("zeros", func(a *answer) bool {
			from, to := a.head()
			a.write(make([]byte, to-from))
			return true
		}),
		onFiles("gzip that nobody asked for", func(a *answer) bool {
			from, to, _ := a.span()
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = z.Write(a.data[from:to])
			z.Close()
			a.head("Content-Encoding", "gzip", "Content-Length", strconv.Itoa(b.Len()))
			a.write(b.Bytes())
			return true
		}),
		onFiles("a page instead of the file", func(a *answer) bool {
			a.w.Header().Set("Content-Type", "text/html")
			a.write([]byte("<html><body>Please log in to the network.</body></html>"))
			return true
		}),
		onFiles("a page instead of the range", func(a *answer) bool {
			page := "<html><body>Please log in to the network.</body></html>"
			a.head("Content-Type", "text/html", "Content-Length", strconv.Itoa(len(page)))
			a.write([]byte(page))
			return true
		}),
		onFiles("an empty answer", func(a *answer) bool { a.w.WriteHeader(http.StatusOK); return true }),
		onFiles("a weak ETag", func(a *answer) bool { a.etag = "W/" + a.etag; return false }),
		onFiles("no ETag", func(a *answer) bool { a.etag = ""; return false }),
		onFiles("another ETag each time", func(a *answer) bool {
			a.etag = fmt.Sprintf(`"%d"`, time.Now().UnixNano())
			return false // so that If-Range does not match: 200
		}),
		onFiles("another ETag and yet 206", func(a *answer) bool {
			a.r.Header.Del("If-Range")
			a.etag = fmt.Sprintf(`"%d"`, time.Now().UnixNano())
			return false
		}),
		onFiles("closes each connection", func(a *answer) bool { a.w.Header().Set("Connection", "close"); return false }),
		onResolve("another X-Linked-Etag", func(a *answer) bool {
			a.w.Header().Set("X-Repo-Commit", strings.Repeat("e", 40))
			a.w.Header().Set("X-Linked-Etag", `"`+strings.Repeat("f", 64)+`"`)
			a.w.Header().Set("Location", a.s.files.URL+"/blobs/"+strings.Repeat("f", 64)+"?Signature=x")
			a.w.WriteHeader(http.StatusFound)
			return true
		}),
	}
}

// refusals returns responses without the bytes.
func refusals() []Fault {
	return []Fault{
		onFiles("429 with seconds", status(429, "Retry-After", "1")),
		onFiles("429 with a date", func(a *answer) bool {
			return status(429, "Retry-After", time.Now().UTC().Add(time.Second).Format(http.TimeFormat))(a)
		}),
		onFiles("429 without a time", status(429)),
		onResolve("429 of the Hub", status(429, "Retry-After", "0")),
		onFiles("500", status(500)),
		onFiles("502", status(502)),
		onFiles("503 with seconds", status(503, "Retry-After", "1")),
		onFiles("504", status(504)),
		onFiles("408", status(408)),
		onResolve("500 of the Hub", status(500)),
		onFiles("416 for every range", func(a *answer) bool {
			if _, _, ranged := a.span(); !ranged {
				return false
			}
			return status(416, "Content-Range", fmt.Sprintf("bytes */%d", len(a.data)))(a)
		}),
		onFiles("416 with a shorter length", func(a *answer) bool {
			if _, _, ranged := a.span(); !ranged {
				return false
			}
			return status(416, "Content-Range", "bytes */10")(a)
		}),
		onFiles("an expired signature", status(403)),
		onFiles("404 of the second server", status(404)),
		onResolve("404 of the Hub", status(404, "X-Error-Code", "EntryNotFound")),
		onResolve("401 of the Hub", status(401, "X-Error-Code", "GatedRepo")),
		onResolve("403 of the Hub", status(403, "X-Error-Code", "GatedRepo")),
		onResolve("a redirect in circles", redirect(302, "SELF")),
		onResolve("a redirect to nowhere", redirect(302, "")),
		onResolve("a redirect to a file", redirect(302, "file:///etc/passwd")),
		onFiles("a redirect between servers in circles", redirect(307, "SELF")),
		onFiles("304", func(a *answer) bool { a.w.WriteHeader(http.StatusNotModified); return true }),
		onFiles("204", func(a *answer) bool { a.w.WriteHeader(http.StatusNoContent); return true }),
	}
}

// answersOfAPI returns faults in descriptions and listings.
func answersOfAPI() []Fault {
	body := func(text string) func(a *answer) bool {
		return func(a *answer) bool {
			a.w.Header().Set("Content-Type", "application/json")
			a.write([]byte(text))
			return true
		}
	}
	return []Fault{
		onAPI("API: half a document", body(`{"id":"a/b","sha":"`)),
		onAPI("API: a page", body(`<html><body>Please log in to the network.</body></html>`)),
		onAPI("API: nothing", body(``)),
		onAPI("API: null", body(`null`)),
		onAPI("API: a list", body(`[]`)),
		onAPI("API: other types", body(`{"id":7,"sha":[],"siblings":{}}`)),
		onAPI("API: a commit that is a path", body(`{"id":"a/b","sha":"../../../../etc","siblings":[]}`)),
		onAPI("API: deep", body(strings.Repeat(`[`, 1<<20))),
		onAPI("API: closes at once", func(a *answer) bool { a.drop(); return true }),
		onAPI("API: 429", status(429, "Retry-After", "0")),
		onAPI("API: 500", status(500)),
		onAPI("API: 404", status(404, "X-Error-Code", "RepoNotFound")),
		onAPI("API: 401", status(401, "X-Error-Code", "RepoNotFound")),
		onAPI("API: a redirect in circles", redirect(302, "SELF")),
	}
}
