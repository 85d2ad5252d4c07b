# The part of uitest.sh about the Rerank room; it is sourced there.

ranked() { [ "$(grep -c 'msg=rerank ' "$log" 2>/dev/null)" = "$1" ]; }

tried() { [ "$(comparisons)" -gt "$before" ]; }

press ctrl+5
step "Ctrl+5 leads to Rerank" kept 's["window"]["panel"] == "rerank"'
press ctrl+Return
step "the samples are ranked" ranked 1
before=$(comparisons)
tap "Compare models"
pause 0.5
press ctrl+Return
step "models are tried on the sample questions" tried
picture 8-compare
press ctrl+s
pause 1
press Return
step "the comparison is saved as CSV" logged "msg=exported file=comparison.csv"
tap "Sort texts"
pause 0.5
for of in Bread Milk Soup Rice Cheese; do
	printf '%s freezes well.\n%s is sold in March.\n' "$of" "$of"
done >"$work/answers.txt"
drop "$work/answers.txt"
step "dropped texts take their place" kept 'len(s["rerank"]["texts"]) == 10'
tap "What should the texts answer?"
write "What can be frozen?"
press ctrl+Return
step "Ctrl+Enter ranks them too" ranked 2
pause 0.5
picture 8-rerank
tap "Compare models"
step "the question comes along to Compare models" kept '[q["text"] for q in s["rerank"]["questions"]] == ["What can be frozen?"]'
picture 8-along
tap "Sort texts"
pause 0.5
press ctrl+s
pause 1
press Return
step "the ranking is saved as CSV" logged "msg=exported file=ranking.csv"
step "with a row for each text" "$python" -c "
import csv; r = list(csv.reader(open('$HOME/ranking.csv')))
assert len(r) == 11 and r[0][:3] == ['question', 'text', 'given'] and [x[3] for x in r[1:]] == [str(i) for i in range(1, 11)]"
