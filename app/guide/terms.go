package guide

import (
	"slices"
	"strings"
	"sync"

	"inglenook/documents/words"
)

// termsOf are the words of a question by which it is compared: their stems, with one word for those that mean
// the same here.
func termsOf(question string) (list []string) {
	for _, w := range words.Split(question) {
		stem := words.Stem(w)
		if same, ok := sameWords()[stem]; ok {
			stem = same
		}
		if !slices.Contains(list, stem) {
			list = append(list, stem)
		}
	}
	return list
}

// sameWords are the stems of words that mean what another one means here.
var sameWords = sync.OnceValue(func() map[string]string {
	same := map[string]string{}
	for line := range strings.Lines(meanTheSame) {
		group := strings.Fields(line)
		for _, w := range group {
			same[words.Stem(w)] = words.Stem(group[0])
		}
	}
	return same
})

const meanTheSame = `app program programme application software tool inglenook
computer laptop machine pc notebook
model llm ai
chat conversation dialogue thread talk
delete remove erase discard trash
download fetch install
change switch alter modify
search query
file document pdf docx
picture image photo photos
stop cancel abort interrupt
larger bigger better smarter
folder directory
answer reply response
message prompt
gpu nvidia
fast quick speedy
slow sluggish
save store keep kept stored saved
internet online network web
see view show
use run
room panel page tab screen
settings preferences options
memory ram
free cost costs price pay money
private privacy secret confidential`
