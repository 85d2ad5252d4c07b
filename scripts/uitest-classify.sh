# The part of uitest.sh about the page that classifies; it is sourced there, with Similarity in view.

press ctrl+4
step "Ctrl+4 leads to Similarity" kept 's["window"]["panel"] == "similarity"'
before=$(comparisons)
click 305 30
sleep 0.5
press ctrl+Return
step "the bundled model labels the sample texts" tried
sleep 0.5
picture 9-classify
click 268 240
press ctrl+a
write "weather, food"
step "the labels are kept" kept 's["classify"]["labels"] == "weather, food"'
printf 'Snow fell on the hills.\nThe soup needs salt.\n' >"$work/labelled.txt"
drop "$work/labelled.txt"
step "dropped texts take the place of the samples" kept 'len(s["classify"]["texts"]) == 2'
before=$(comparisons)
press ctrl+Return
step "Ctrl+Enter labels them" tried
sleep 0.5
picture 9-labels
