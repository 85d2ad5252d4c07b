package grammar

import (
	"math"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// formats returns patterns for the formats of texts that are enforced. All that
// they match is valid; for dates they omit the 29th of February. Other formats,
// such as path or password, are annotations, as the specification has it.
func formats() map[string]string {
	const (
		day     = `[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))`
		moment  = `([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])`
		octet   = `(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])`
		label   = `[A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?`
		email   = `^[A-Za-z0-9_+-]{1,20}(\.[A-Za-z0-9_+-]{1,20}){0,2}@(` + label + `\.){1,3}[A-Za-z]{2,10}$`
		host    = `^(` + label + `\.){0,4}[A-Za-z]{2,10}$`
		uri     = `^https?://(` + label + `\.){1,4}[A-Za-z]{2,10}(:[1-9][0-9]{1,3})?(/[A-Za-z0-9._~-]{0,60}){0,8}(\?[A-Za-z0-9=&._~-]{0,100})?(#[A-Za-z0-9._~-]{0,40})?$`
		base64  = `^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`
		number  = `[1-9][0-9]{0,3}`
		hours   = number + `H(` + number + `M(` + number + `S)?)?`
		clock   = `T(` + hours + `|` + number + `M(` + number + `S)?|` + number + `S)`
		days    = number + `D`
		months  = number + `M(` + days + `)?`
		span    = `^P((` + days + `|` + months + `|` + number + `Y(` + months + `)?)(` + clock + `)?|` + clock + `|` + number + `W)$`
		pointer = `(/[A-Za-z0-9_-]{1,30}){0,8}`
	)
	return map[string]string{
		"date": `^` + day + `$`, "time": `^` + moment + `$`, "date-time": `^` + day + `T` + moment + `$`, "duration": span,
		"uuid":  `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
		"email": email, "idn-email": email,
		"hostname": host, "idn-hostname": host,
		"uri": uri, "url": uri, "iri": uri, "uri-reference": uri, "iri-reference": uri,
		"ipv4": `^` + octet + `(\.` + octet + `){3}$`,
		"ipv6": `^[0-9a-f]{1,4}(:[0-9a-f]{1,4}){7}$`,
		"byte": base64, "base64": base64,
		"json-pointer": `^` + pointer + `$`, "relative-json-pointer": `^[1-9]?[0-9]` + pointer + `$`,
	}
}

var (
	uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	timeForm = regexp.MustCompile(`^\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)
	spanForm = regexp.MustCompile(`^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$`)
	hostForm = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)
)

// hasFormat reports whether a text has a format. It allows more than the patterns
// of formats, and everything in a format that is an annotation.
func hasFormat(format, text string) bool {
	var err error
	switch format {
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "date-time":
		_, err = time.Parse(time.RFC3339, strings.ToUpper(text))
	case "time":
		return timeForm.MatchString(text)
	case "duration":
		return spanForm.MatchString(text) && !strings.HasSuffix(text, "P") && !strings.HasSuffix(text, "T")
	case "uuid":
		return uuidForm.MatchString(text)
	case "email", "idn-email":
		name, host, found := strings.Cut(text, "@")
		return found && name != "" && host != ""
	case "hostname":
		return hostForm.MatchString(text)
	case "uri", "url", "iri":
		var u *url.URL
		u, err = url.Parse(text)
		return err == nil && u.Scheme != ""
	case "ipv4", "ipv6":
		var a netip.Addr
		a, err = netip.ParseAddr(text)
		return err == nil && a.Zone() == "" && a.Is4() == (format == "ipv4")
	}
	return err == nil
}

// numberFormats holds the ranges of the formats of whole numbers that OpenAPI
// and generators of code name.
var numberFormats = map[string][2]float64{
	"int8": {math.MinInt8, math.MaxInt8}, "int16": {math.MinInt16, math.MaxInt16},
	"int32": {math.MinInt32, math.MaxInt32}, "int64": {math.MinInt64, math.MaxInt64},
	"uint8": {0, math.MaxUint8}, "uint16": {0, math.MaxUint16},
	"uint32": {0, math.MaxUint32}, "uint64": {0, math.MaxUint64}, "uint": {0, math.MaxUint64},
}

func isNumberFormat(format string) bool {
	_, whole := numberFormats[format]
	return whole || format == "float" || format == "double"
}
