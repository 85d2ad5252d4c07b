# The part of uitest.sh about the page that classifies; it is sourced there, with Similarity in view.

press ctrl+4
step "Ctrl+4 leads to Similarity" kept 's["window"]["panel"] == "similarity"'
picture 9-compared
tap "Classify"
pause 0.5
press ctrl+Return
step "the bundled model labels the sample texts" changed 9-compared 5
pause 0.5
picture 9-classify
tap "Clear"
step "Clear empties the list" kept 's["classify"]["texts"] == []'
printf 'Snow fell on the hills.\nThe soup needs salt.\n' >"$work/labelled.txt"
drop "$work/labelled.txt"
step "dropped texts are on the list" kept 'len(s["classify"]["texts"]) == 2'
tap "Write my own"
write "weather, food"
press Return
step "the labels are kept" kept 's["classify"]["labels"] == "weather, food"'
press ctrl+Return
step "Ctrl+Enter labels them" changed 9-classify 5
pause 0.5
picture 9-labels

# The toys are tiny models that were trained until what they say means something (training/toys).
toys=pipeline/testdata/toys
for toy in names shapes words; do cp -R "$toys/$toy" "$work/$toy"; done
drop "$work/names"
step "a dropped model that marks names is chosen" kept 's["classify"]["model"].endswith("/names")'
tap "Clear"
step "the list is empty" kept 's["classify"]["texts"] == []'
printf 'yesterday Bado wrote to Lumi .\nshe came from Kotar with Bado .\n' >"$work/people.txt"
drop "$work/people.txt"
step "two texts are on the list" kept 'len(s["classify"]["texts"]) == 2'
press ctrl+Return
step "names are marked in them" logged 'job=classify .*names'
pause 0.5
picture 9-names
drop "$work/shapes"
step "a dropped model of pictures and texts is chosen" kept 's["classify"]["model"].endswith("/shapes")'
tap "Add a label"
write "red circle, blue square, green triangle"
press Return
step "labels for pictures are kept" kept '"green triangle" in s["classify"]["labels"]'
tap "Clear"
step "the list is empty again" kept 's["classify"]["texts"] == []'
before=$(comparisons)
drop "$work/shapes/samples/red-circle.png" "$work/shapes/samples/blue-square.png" "$work/shapes/samples/green-triangle.png"
pause 1
press ctrl+Return
step "three pictures are labelled" logged 'job="embed pictures" .*shapes'
pause 0.5
picture 9-pictures
drop "$work/words"
step "a text-to-text model is no classifier, and the window offers to go to Chat" changed 9-pictures 1
picture 9-misplaced
