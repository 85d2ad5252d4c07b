package similarity

import (
	"image"

	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// pictures returns the paths of the pictures on the list, nil where it has none.
func (p *Panel) pictures() []string {
	if !p.texts.Seen() {
		return nil
	}
	var paths []string
	for _, picture := range p.texts.Pictures() {
		if picture == nil {
			paths = append(paths, "")
		} else {
			paths = append(paths, picture.Path)
		}
	}
	return paths
}

// smallPictures returns the thumbnails of the list, nil where it has none.
func (p *Panel) smallPictures() []image.Image {
	if !p.texts.Seen() {
		return nil
	}
	var small []image.Image
	for _, picture := range p.texts.Pictures() {
		if picture == nil {
			small = append(small, nil)
		} else {
			small = append(small, picture.Small)
		}
	}
	return small
}

// blind reports whether a model has to compare what it does not read: pictures, or texts.
func (p *Panel) blind(m library.Model) bool {
	if m.Kind == library.KindPictures {
		return len(p.texts.Written()) > 0
	}
	return p.texts.Seen() && !m.Pictures
}

// seeing is a model that is here and reads all that is on the list; false: there is none.
func (p *Panel) seeing() (library.Model, bool) {
	for _, m := range p.models {
		if _, fits := Fits(m); fits && !p.blind(m) {
			return m, true
		}
	}
	return library.Model{}, false
}

// blindText says which model is needed.
func blindText(m library.Model) string {
	if m.Kind == library.KindPictures {
		return m.Title() + " reads pictures alone. Choose a model for pictures and texts, such as CLIP, or delete the texts."
	}
	return m.Title() + " reads texts alone. Choose a model for pictures and texts, such as CLIP, or delete the pictures."
}

// itemsOf counts what was compared: "3 texts", "2 pictures", "3 texts and 2 pictures".
func itemsOf(r *texts.SimilarityResult) string {
	seen := 0
	for _, path := range r.Pictures {
		if path != "" {
			seen++
		}
	}
	written := len(r.Texts) - seen
	switch {
	case seen == 0:
		return kit.Count(written, "text")
	case written == 0:
		return kit.Count(seen, "picture")
	}
	return kit.Count(written, "text") + " and " + kit.Count(seen, "picture")
}
