# The part of uitest.sh about the Models room; it is sourced there. It asks nothing of the network.

press ctrl+3
step "Ctrl+3 leads to Models" kept 's["window"]["panel"] == "models"'
pause 1
picture 6-models
mkdir "$work/found model"
cp -R assets/starter/. "$work/found model"
drop "$work/found model"
step "a dropped model folder is on the list" kept 'any(r.endswith("found model") for r in s["recent"])'
step "and in view" changed 6-models 1
pause 1
picture 6-models-found
tap "Remove from list"
step "Remove from list takes it off" kept 'not any(r.endswith("found model") for r in s["recent"])'
step "and leaves its files" test -s "$work/found model/config.json"
tap "Discover"
pause 0.5
picture 6-models-catalogue
tap "A name, or a task: translate"
write "minilm"
step "typing narrows the catalogue" changed 6-models-catalogue 1
pause 0.5
picture 6-models-narrowed
tap "Downloads"
step "the third tab shows the downloads" changed 6-models-narrowed 1
picture 6-models-downloads
