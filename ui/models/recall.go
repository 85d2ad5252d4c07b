package models

import "inglenook/app/downloads"

// checkedBefore is said of figures that cannot be checked again now.
const checkedBefore = "As it was checked before offline mode was turned on."

// remember keeps what the model store answered about the model in view.
func (p *modelPage) remember(got downloads.Preview) {
	if p.context != 0 { // what a person tries out
		return
	}
	if p.checked == nil {
		p.checked = map[string]downloads.Preview{}
	}
	p.checked[p.item.key()] = got
}

// recall shows what the model store answered about the model in view at an earlier look, until it
// answers again: what is known already can be used meanwhile, and without a connection too.
func (p *modelPage) recall() {
	if got, known := p.checked[p.item.key()]; known && p.item.installed == nil {
		p.previewed(got)
		p.recalled = true
	}
}

// early reports whether the model in view can be downloaded before the model store has answered: of
// one of the catalogue it is known which file that is, and that a person may have it.
func (p *modelPage) early() bool {
	_, known := p.variant()
	return !known && p.asking != "" && p.item.entry != nil && p.item.found == nil && !p.gated()
}

// wanted is what is downloaded of the form in view; false: that is not known.
func (p *modelPage) wanted() (downloads.DownloadRequest, bool) {
	if v, known := p.variant(); known {
		return downloads.DownloadRequest{ID: p.preview.ID, Files: v.Patterns()}, true
	}
	if !p.early() {
		return downloads.DownloadRequest{}, false
	}
	form := p.forms[p.form]
	for _, d := range p.item.entry.Downloads {
		if d.Repo == form.repo {
			return downloads.DownloadRequest{ID: form.repo, Files: fileOf(d)}, true
		}
	}
	return downloads.DownloadRequest{}, false
}
