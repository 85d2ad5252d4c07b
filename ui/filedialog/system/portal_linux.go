package system

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/godbus/dbus/v5"
)

// portal is the desktop's own file dialog, asked over D-Bus. It speaks to the bus itself:
// the package that Fyne brings along for this cannot be cancelled, and takes the answer of
// any dialog for its own.
//
// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileChooser.html
type portal struct {
	connect  func(...dbus.ConnOption) (*dbus.Conn, error) // to the bus; nothing is said yet
	patience time.Duration                                // with a portal that says nothing
}

// patience is how long a portal has to say that it shows a dialog.
const patience = 2 * time.Second

// Names on the bus.
const (
	portalName    = "org.freedesktop.portal.Desktop"
	portalPath    = dbus.ObjectPath("/org/freedesktop/portal/desktop")
	chooserName   = "org.freedesktop.portal.FileChooser"
	requestName   = "org.freedesktop.portal.Request"
	responseName  = requestName + ".Response"
	ownerChanged  = "org.freedesktop.DBus.NameOwnerChanged"
	foldersSince  = 3 // version of the portal that can ask for folders
	answerChosen  = uint32(0)
	answerNothing = uint32(1)
)

// pattern is what a filter of files takes: kind 0 is a pattern of names.
type pattern struct {
	Kind uint32
	Glob string
}

// filter is one that the dialog offers.
type filter struct {
	Name     string
	Patterns []pattern
}

// Choose asks the portal. Until that has said that it shows a dialog, its patience runs.
func (p portal) Choose(ctx context.Context, a Ask) ([]string, error) {
	life, end := context.WithCancel(context.Background()) // of the connection
	defer end()
	timer := time.AfterFunc(p.patience, end)
	defer timer.Stop()
	cancelled := context.AfterFunc(ctx, end)
	defer cancelled()
	signals := make(chan *dbus.Signal, 16)
	conn, request, err := p.begin(life, a, signals)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || !timer.Stop() {
		return nil, ErrNone
	}
	if !cancelled() {
		return nil, ctx.Err()
	}
	for {
		select {
		case <-ctx.Done():
			conn.Object(portalName, request).Go(requestName+".Close", dbus.FlagNoReplyExpected, nil)
			return nil, ctx.Err()
		case s, open := <-signals:
			switch {
			case !open:
				return nil, ErrNone // the bus is gone
			case s.Name == responseName && s.Path == request:
				return answer(s.Body, a.Kind == Files)
			case s.Name == ownerChanged && len(s.Body) == 3 && s.Body[0] == portalName && s.Body[2] == "":
				return nil, ErrNone // the portal is gone, and its dialog with it
			}
		}
	}
}

// begin has the portal show the dialog, and returns the request that will be answered.
func (p portal) begin(life context.Context, a Ask, signals chan *dbus.Signal) (*dbus.Conn, dbus.ObjectPath, error) {
	conn, err := p.connect(dbus.WithContext(life))
	if err != nil {
		return nil, "", err
	}
	if err := conn.Auth(nil); err != nil {
		return nil, "", err
	}
	if err := conn.Hello(); err != nil {
		return nil, "", err
	}
	conn.Signal(signals)
	chooser := conn.Object(portalName, portalPath)
	if a.Kind == Folder {
		var version uint32
		if err := chooser.CallWithContext(life, "org.freedesktop.DBus.Properties.Get", 0, chooserName, "version").Store(&version); err != nil || version < foldersSince {
			return nil, "", errors.Join(err, ErrNone)
		}
	}
	// The answer may come before the reply to the call: it is listened for first.
	token := "inglenook" + strings.ToLower(rand.Text())
	sender := strings.ReplaceAll(strings.TrimPrefix(conn.Names()[0], ":"), ".", "_")
	expected := portalPath + dbus.ObjectPath("/request/"+sender+"/"+token)
	if err := listen(life, conn, expected); err != nil {
		return nil, "", err
	}
	if err := conn.AddMatchSignalContext(life, dbus.WithMatchInterface("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, portalName)); err != nil {
		return nil, "", err
	}
	method := chooserName + ".OpenFile"
	if a.Kind == Save {
		method = chooserName + ".SaveFile"
	}
	var request dbus.ObjectPath
	if err := chooser.CallWithContext(life, method, 0, a.Window, a.Title, options(a, token)).Store(&request); err != nil {
		return nil, "", err
	}
	if request != expected { // an old portal, which names requests itself
		err = listen(life, conn, request)
	}
	return conn, request, err
}

// listen has the bus deliver the answer to a request.
func listen(ctx context.Context, conn *dbus.Conn, request dbus.ObjectPath) error {
	return conn.AddMatchSignalContext(ctx, dbus.WithMatchObjectPath(request), dbus.WithMatchInterface(requestName), dbus.WithMatchMember("Response"))
}

// options are those of a request.
func options(a Ask, token string) map[string]dbus.Variant {
	o := map[string]dbus.Variant{"handle_token": dbus.MakeVariant(token), "modal": dbus.MakeVariant(true)}
	switch a.Kind {
	case Folder:
		o["directory"] = dbus.MakeVariant(true)
	case Save:
		o["current_name"] = dbus.MakeVariant(a.Name)
	case Files:
		o["multiple"] = dbus.MakeVariant(true)
	case File:
		if len(a.Extensions) > 0 {
			o["filters"] = dbus.MakeVariant(filters(a.Extensions))
		}
	}
	return o
}

// filters offer these files alone, or all.
func filters(extensions []string) []filter {
	wanted := filter{Name: "*" + strings.Join(extensions, ", *")}
	for _, e := range extensions {
		wanted.Patterns = append(wanted.Patterns, pattern{0, anyCase("*" + e)})
	}
	return []filter{wanted, {"All files", []pattern{{0, "*"}}}}
}

// anyCase is a pattern that takes small and capital letters: "*.gguf" is "*.[gG][gG][uU][fF]".
func anyCase(glob string) string {
	var b strings.Builder
	for _, c := range glob {
		if unicode.IsLetter(c) {
			b.WriteString("[" + string(unicode.ToLower(c)) + string(unicode.ToUpper(c)) + "]")
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// answer reads what a dialog ended with: the first path, or all.
func answer(body []any, several bool) ([]string, error) {
	unclear := errors.New("the desktop's file dialog gave an answer that cannot be read; drop the file on the window instead")
	if len(body) != 2 {
		return nil, unclear
	}
	code, ok := body[0].(uint32)
	results, also := body[1].(map[string]dbus.Variant)
	switch {
	case !ok || !also:
		return nil, unclear
	case code == answerNothing:
		return nil, nil
	case code != answerChosen:
		return nil, ErrNone // it could not be shown
	}
	if uris, ok := results["uris"].Value().([]string); ok && len(uris) > 0 {
		if !several {
			uris = uris[:1]
		}
		return allChecked(uris, pathOf)
	}
	return nil, unclear
}
