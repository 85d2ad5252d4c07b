package system

import (
	"net/url"
	"os/exec"
	"strconv"
	"strings"
)

// OpenerAt returns what shows a PDF file at one of its pages, in the desktop's own program for such files;
// false: that is none that is known to be told a page.
func OpenerAt() func(path string, page int) bool { return openAt }

func openAt(path string, page int) bool {
	chosen, err := exec.Command("xdg-mime", "query", "default", "application/pdf").Output()
	if err != nil {
		return false
	}
	words := atPage(strings.TrimSpace(string(chosen)), path, page)
	if words == nil {
		return false
	}
	cmd := exec.Command(words[0], words[1:]...)
	if cmd.Start() != nil {
		return false // it may be installed in a way of its own, without a command
	}
	go func() { _ = cmd.Wait() }()
	return true
}

// atPage is the command by which a program, named by its desktop entry, shows a file at a page; nil: it is not
// known to.
func atPage(entry, path string, page int) []string {
	name := strings.ToLower(strings.TrimSuffix(entry, ".desktop"))
	name = name[strings.LastIndexByte(name, '.')+1:] // as in org.gnome.Evince
	n := strconv.Itoa(page)
	switch {
	case name == "evince", name == "papers", name == "atril", name == "xreader":
		return []string{name, "--page-index=" + n, path}
	case strings.HasPrefix(name, "okular"): // okularApplication_pdf
		return []string{"okular", "--page", n, path}
	case strings.HasPrefix(name, "zathura"): // zathura-pdf-poppler
		return []string{"zathura", "--page=" + n, path}
	case name == "qpdfview":
		return []string{name, "--unique", path + "#" + n}
	case name == "mupdf":
		return []string{name, path, n}
	case name == "firefox", name == "firefox-esr", name == "chromium", name == "chromium-browser", name == "google-chrome", name == "microsoft-edge", name == "brave-browser":
		return []string{name, (&url.URL{Scheme: "file", Path: path, Fragment: "page=" + n}).String()}
	}
	return nil
}
