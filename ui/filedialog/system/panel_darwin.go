package system

import (
	"context"
	"strings"

	"github.com/ebitengine/purego/objc"
)

// Choosers are the dialogs of macOS. do runs a function on the program's main thread, the
// only one that may show them.
func Choosers(do func(func())) []Chooser { return []Chooser{panel{do}} }

// panel is NSOpenPanel or NSSavePanel.
type panel struct{ do func(func()) }

// responseOK is NSModalResponseOK.
const responseOK = 1

// result is how a panel ended.
type result struct {
	paths []string
	err   error
}

// Choose shows a panel, which takes no time of the main thread while it is open.
func (p panel) Choose(ctx context.Context, a Ask) ([]string, error) {
	ended := make(chan result, 1)
	var shown objc.ID
	p.do(func() {
		class, create := objc.GetClass("NSOpenPanel"), objc.RegisterName("openPanel")
		if a.Kind == Save {
			class, create = objc.GetClass("NSSavePanel"), objc.RegisterName("savePanel")
		}
		if class == 0 {
			ended <- result{nil, ErrNone}
			return
		}
		shown = objc.ID(class).Send(create)
		shown.Send(objc.RegisterName("retain"))
		shown.Send(objc.RegisterName("setMessage:"), text(a.Title))
		switch a.Kind {
		case Save:
			shown.Send(objc.RegisterName("setNameFieldStringValue:"), text(a.Name))
		case Folder:
			shown.Send(objc.RegisterName("setCanChooseFiles:"), false)
			shown.Send(objc.RegisterName("setCanChooseDirectories:"), true)
		case Files:
			shown.Send(objc.RegisterName("setAllowsMultipleSelection:"), true)
		case File:
			if len(a.Extensions) > 0 {
				types := objc.ID(objc.GetClass("NSMutableArray")).Send(objc.RegisterName("array"))
				for _, e := range a.Extensions {
					types.Send(objc.RegisterName("addObject:"), text(strings.TrimPrefix(e, ".")))
				}
				shown.Send(objc.RegisterName("setAllowedFileTypes:"), types)
			}
		}
		handler := objc.NewBlock(func(_ objc.Block, response int) {
			r := result{}
			if response == responseOK {
				r.paths, r.err = allChecked(chosenIn(shown, a.Kind), checked)
			}
			shown.Send(objc.RegisterName("release"))
			ended <- r
		})
		shown.Send(objc.RegisterName("beginWithCompletionHandler:"), handler)
		handler.Release() // the panel has a copy
	})
	select {
	case r := <-ended:
		return r.paths, r.err
	case <-ctx.Done():
		p.do(func() {
			select {
			case <-ended: // it has just ended by itself
			default:
				shown.Send(objc.RegisterName("cancel:"), objc.ID(0))
			}
		})
		return nil, ctx.Err()
	}
}

// chosenIn are the paths that a panel ended with. One for saving has one, and knows no others.
func chosenIn(shown objc.ID, kind Kind) (paths []string) {
	urls := []objc.ID{shown.Send(objc.RegisterName("URL"))}
	if kind == Files {
		list := shown.Send(objc.RegisterName("URLs"))
		urls = make([]objc.ID, objc.Send[uint](list, objc.RegisterName("count")))
		for i := range urls {
			urls[i] = list.Send(objc.RegisterName("objectAtIndex:"), uint(i))
		}
	}
	for _, u := range urls {
		paths = append(paths, goText(u.Send(objc.RegisterName("path"))))
	}
	return paths
}

// text is an NSString.
func text(s string) objc.ID {
	return objc.ID(objc.GetClass("NSString")).Send(objc.RegisterName("stringWithUTF8String:"), strings.ReplaceAll(s, "\x00", "")+"\x00")
}

// goText reads an NSString.
func goText(s objc.ID) string {
	if s == 0 {
		return ""
	}
	return objc.Send[string](s, objc.RegisterName("UTF8String"))
}
