package texts

import "strings"

// kindsOfNames are in words what models that mark names call them: the codes of CoNLL-2003 and of
// OntoNotes 5, which nearly all such models are trained with.
var kindsOfNames = map[string]string{
	"PER": "Person", "PERSON": "Person", "LOC": "Place", "LOCATION": "Place", "ORG": "Organisation", "ORGANIZATION": "Organisation", "MISC": "Other name",
	"GPE": "Country or city", "NORP": "Nationality or group", "FAC": "Building or road", "PRODUCT": "Product", "EVENT": "Event", "WORK_OF_ART": "Work of art",
	"LAW": "Law", "LANGUAGE": "Language", "DATE": "Date", "TIME": "Time", "PERCENT": "Percentage", "MONEY": "Amount of money", "QUANTITY": "Quantity",
	"ORDINAL": "Ordinal number", "CARDINAL": "Number",
}

// KindOfName is in words what a model that marks names calls one; a code that is not known stays as it is.
func KindOfName(code string) string {
	if word, ok := kindsOfNames[strings.ToUpper(code)]; ok {
		return word
	}
	return code
}
