package base

import (
	"testing"

	"inglenook/app/apptest"
)

func TestRedact(t *testing.T) {
	home := apptest.Home(t)
	t.Setenv("HF_TOKEN", "plainlookingsecret")
	cases := [][2]string{
		{"token hf_abcDEF123456 end", "token [redacted] end"},
		{"Authorization: Bearer abc.def-123", "Authorization: [redacted]"},
		{`"authorization": "Basic dXNlcg=="`, `"authorization": "[redacted]"`},
		{"bearer eyJhbGciOi.x", "bearer [redacted]"},
		{"get https://ann:pw@host.org/x", "get https://[redacted]@host.org/x"},
		{"as postgres://USER@HOST/DATABASE", "as postgres://USER@HOST/DATABASE"},
		{"to postgres://ann:pw@host/team", "to postgres://ann:[redacted]@host/team"},
		{"to http://s3cret@host/v1", "to http://[redacted]@host/v1"},
		{"https://host/x?a=1&token=s3cret&b=2", "https://host/x?a=1&token=[redacted]&b=2"},
		{"https://host/x?X-Amz-Signature=abc", "https://host/x?X-Amz-Signature=[redacted]"},
		{"it is plainlookingsecret.", "it is [redacted]."},
		{home + "/models/x", "~/models/x"},
		{"open " + home + ": denied", "open ~: denied"},
		{"file://" + home + "/x", "file://~/x"},
		{home + "x/y", home + "x/y"},
		{home + ":" + home, "~:~"},
		{"ann@host.org wrote about half_open tokens", "ann@host.org wrote about half_open tokens"},
	}
	for _, c := range cases {
		if got := Redact(c[0]); got != c[1] {
			t.Errorf("Redact(%q) = %q, want %q", c[0], got, c[1])
		}
	}
	if got := hideHome("/etc/x", "/"); got != "/etc/x" {
		t.Errorf("with the home folder /: %q", got)
	}
}
