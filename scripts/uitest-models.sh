# The part of uitest.sh about the Models room; it is sourced there. It asks nothing of the network.

press ctrl+3
step "Ctrl+3 leads to Models" kept 's["window"]["panel"] == "models"'
sleep 1
picture 6-models
mkdir "$work/found model"
cp -R assets/starter/. "$work/found model"
drop "$work/found model"
step "a dropped model folder is on the list" kept 'any(r.endswith("found model") for r in s["recent"])'
step "and in view" changed 6-models 1
sleep 1
picture 6-models-found
click 795 188
step "Remove from list takes it off" kept 'not any(r.endswith("found model") for r in s["recent"])'
step "and leaves its files" test -s "$work/found model/config.json"
click 338 29
sleep 0.5
picture 6-models-catalogue
click 270 134 # below the notice
write "minilm"
step "typing narrows the catalogue" changed 6-models-catalogue 1
sleep 0.5
picture 6-models-narrowed
click 432 29
step "the third tab shows the downloads" changed 6-models-narrowed 1
picture 6-models-downloads
