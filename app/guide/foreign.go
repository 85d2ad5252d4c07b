package guide

import (
	"regexp"
	"unicode"

	"inglenook/documents/words"
)

// language is one that the model does not know. It is recognized by its frequent words.
type language struct {
	words map[string]bool
	says  string
}

var languages = []language{
	{
		words.Set("ich du er sie wir ihr nicht und oder der das den dem ein eine einen ist sind wie wo wer warum wann welche welcher kann kannst können mir mich dir dich für mit auf aus auch noch bitte danke hallo guten wird werden habe hast hat haben mein meine dein deine zum zur vom beim gibt gibts geht macht mache sprichst deutsch über heute morgen viel wieviel kostet lautet heißt steht sagt liegt gibt wohnt meinen meinem"),
		"Ich verstehe leider nur Englisch, denn ich bin ein winziges Modell. Ein größeres antwortet auch auf Deutsch: In „Models“, unter „Discover“, stehen welche für diesen Computer.",
	},
	{
		words.Set("je tu il elle nous vous ils pas et ou le la les un une des est sont comment où qui pourquoi quand quel quelle peux peut pouvez moi toi pour avec sur dans aussi merci bonjour mon ma mes ton ta ce cette ces que quoi fait faire ai as avez parles français du au"),
		"Désolé, je ne comprends que l’anglais : je suis un tout petit modèle. Un plus grand répond aussi en français ; il y en a dans « Models », sous « Discover ».",
	},
	{
		words.Set("yo tú él ella nosotros no y o el la los las un una es son cómo dónde quién cuándo cuál puedo puedes puede mí para con en también gracias hola mi mis tu este esta qué hacer hace tengo tienes hablas español del al por como donde que está"),
		"Lo siento, solo entiendo inglés: soy un modelo muy pequeño. Uno mayor responde también en español; los hay en «Models», en «Discover».",
	},
	{
		words.Set("io tu lui lei noi non e il lo la gli le un una è sono come dove chi perché quando quale posso puoi può per con su anche grazie ciao mio mia questo questa che cosa fare fa ho hai parli italiano del della nel"),
		"Mi dispiace, capisco solo l’inglese: sono un modello minuscolo. Uno più grande risponde anche in italiano; si trovano in «Models», sotto «Discover».",
	},
}

// quoted is what a text cites, in whatever language.
var quoted = regexp.MustCompile(`"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»`)

const saysEnglish = "I understand English only. A larger model knows more languages: open Models, and choose one under Discover."

// Foreign is what is said to a text in a language that the model does not know. It is said in that language where it is
// one of languages, and in English otherwise; "": the text may be English.
func Foreign(text string) string {
	text = quoted.ReplaceAllString(text, "")
	letters, other := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if !unicode.Is(unicode.Latin, r) {
				other++
			}
		}
	}
	if letters > 0 && other*2 > letters {
		return saysEnglish
	}
	list := words.Split(text)
	english := 0
	for _, w := range list {
		if words.Frequent(w) {
			english++
		}
	}
	most, says := 0, ""
	for _, l := range languages {
		n := 0
		for _, w := range list {
			if l.words[w] {
				n++
			}
		}
		if n > most {
			most, says = n, l.says
		}
	}
	const share = 4 // at least one word of so many
	if most > english && most*share >= len(list) && (most > 1 || len(list) <= 3) {
		return says
	}
	return ""
}
