package base

import (
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"strings"

	"github.com/adrg/xdg"

	"inglenook/plain"
)

const redacted = "[redacted]"

// secretPatterns find secrets in running text; what $1 and $2 hold is kept.
var secretPatterns = []*regexp.Regexp{
	regexp.MustCompile(`()hf_[A-Za-z0-9]{6,}`),
	regexp.MustCompile(`(?i)(authorization["']?\s*[:=]\s*["']?)(?:(?:bearer|basic|token)\s+)?[^\s"',;]+`),
	regexp.MustCompile(`(?i)(\bbearer\s+)[A-Za-z0-9._~+/=-]{6,}`),
	regexp.MustCompile(`(?i)([?&](?:[a-z_-]*(?:token|key|secret|signature|password))=)[^&\s"']+`),
}

// inAddress finds what stands before the host of an address. That of a database begins with
// a user, which is none; elsewhere it may be a token.
var inAddress = regexp.MustCompile(`\b([A-Za-z][A-Za-z0-9+.-]*)://([^/\s@]+)@`)

func hideInAddress(address string) string {
	parts := inAddress.FindStringSubmatch(address)
	user, _, password := strings.Cut(parts[2], ":")
	switch database := parts[1] == "postgres" || parts[1] == "postgresql"; {
	case database && !password:
		return address
	case database:
		return parts[1] + "://" + user + ":" + redacted + "@"
	}
	return parts[1] + "://" + redacted + "@"
}

// secretKeys are attributes whose value is never written, whatever it is.
var secretKeys = regexp.MustCompile(`(?i)^(authorization|cookie|set-cookie|.*(token|secret|password|passwd|api[_-]?key))$`)

// Redact removes secrets from s and writes the home folder as ~.
func Redact(s string) string {
	if token := os.Getenv("HF_TOKEN"); len(token) >= 4 {
		s = strings.ReplaceAll(s, token, redacted)
	}
	for _, p := range secretPatterns {
		s = p.ReplaceAllString(s, "${1}"+redacted+"${2}")
	}
	s = inAddress.ReplaceAllStringFunc(s, hideInAddress)
	return hideHome(s, xdg.Home)
}

// logRunes is how much of one value goes into the log, in characters.
const logRunes = 2000

// RedactAttr is a [slog.HandlerOptions.ReplaceAttr] that lets no secret, no home
// folder and no text of any length into the log.
func RedactAttr(_ []string, a slog.Attr) slog.Attr {
	if secretKeys.MatchString(a.Key) && a.Value.Kind() != slog.KindInt64 {
		return slog.String(a.Key, redacted)
	}
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindString:
		return slog.String(a.Key, plain.Text(Redact(v.String()), logRunes))
	case slog.KindAny:
		if _, isLevel := v.Any().(slog.Level); !isLevel {
			return slog.String(a.Key, plain.Text(Redact(fmt.Sprint(v.Any())), logRunes))
		}
	}
	return a
}

// hideHome writes home as ~ wherever it stands as a whole path or as the
// beginning of one in s.
func hideHome(s, home string) string {
	if len(home) < 2 || !strings.Contains(s, home) {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, home)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		end := i + len(home)
		b.WriteString(s[:i])
		if end < len(s) && isNameByte(s[end]) {
			b.WriteString(home) // /home/ann in /home/anna
		} else {
			b.WriteByte('~')
		}
		s = s[end:]
	}
}

// isNameByte reports whether a file name that ended here would go on with c.
func isNameByte(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}
