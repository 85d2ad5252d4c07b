package texts

import "strings"

// stopWords are the words without which no sentence of English or German gets by, and those with which
// letters begin and end. They say nothing of what a text is about.
var stopWords = wordSet(`
	about above after again against all almost already also although always among and another any anybody anyone anything
	are aren't around as ask asked at away back be because been before being below between both but by came can can't
	cannot come comes could couldn't did didn't do does doesn't doing don't done down during each either else even ever
	every everybody everyone everything few first for from further get gets getting give given gives go goes going gone got
	had hadn't has hasn't have haven't having he he's her here here's hers herself him himself his how however i i'd i'll
	i'm i've if in instead into is isn't it it's its itself just keep kept last least less let let's like lot made make
	makes making many may maybe me might mine more most much must my myself neither never next no nobody none nor not
	nothing now of off often on once one ones only onto or other others otherwise our ours out over own per perhaps put
	quite rather really said same say says see seem seems seen several shall she she's should shouldn't show shows since so
	some somebody someone something sometimes still such take taken takes tell than that that's the their theirs them
	themselves then there there's these they they'd they'll they're they've thing things this those though three through
	till to together too took twice two under until up upon us use used using very want wants was wasn't way we we'd we'll
	we're we've well went were weren't what what's when where whether which while who whole whom whose why will with within
	without won't would wouldn't yes yet you you'd you'll you're you've your yours yourself

	aber alle allem allen aller alles als also am an ander andere anderen anderer anderes auch auf aus bei beim bereits bin
	bis bist da dabei dadurch dafür dagegen daher damit danach daran darauf daraus darin darüber darum das dass davon dazu
	dein deine deinem deinen deiner dem den denen denn der deren des deshalb dessen dich die dies diese diesem diesen dieser
	dieses dir doch dort du durch eben eigentlich ein eine einem einen einer eines einfach einige einigen einiger einmal er
	erst es etwas euch euer eure fast für ganz gar gegen geht gemacht gerade gern gibt ging gut habe haben habt hat hatte
	hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem ins irgend ist ja je jede jedem
	jeden jeder jedes jedoch jemand jetzt kann kannst kein keine keinem keinen keiner können könnte könnten lassen machen
	macht man manche mehr mein meine meinem meinen meiner mich mir mit muss müssen musste nach nachdem neben nein nicht
	nichts nie niemand noch nun nur ob obwohl oder ohne schon sehr sei sein seine seinem seinen seiner seit selbst sich sie
	sind so sogar solche soll sollen sollte sondern sonst über um und uns unser unsere unserem unseren unter viel viele
	vielen vom von vor wann war waren warum was weg weil weiter welche welchem welchen welcher welches wenn wer werde werden
	wie wieder will wir wird wo wollen worden wurde wurden würde würden zu zum zur zwar zwei zwischen

	dear hello greetings regards sincerely yours faithfully thank thanks please kind best wishes cheers hope
	sehr geehrte geehrter lieber liebe hallo guten tag freundlichen freundliche gruß grüße grüßen herzliche herzlichen
	hochachtungsvoll danke dank bitte frau herr herrn mrs
`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

// isStopWord reports whether a word in small letters says nothing of what a text is about.
func isStopWord(word string) bool { return stopWords[strings.ReplaceAll(word, "’", "'")] }
