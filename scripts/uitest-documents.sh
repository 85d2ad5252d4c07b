# The part of uitest.sh about Documents: the samples of an empty room, and a folder that is dropped.

press ctrl+2
step "Ctrl+2 leads to Documents" kept 's["window"]["panel"] == "documents"'
logged 'msg=index collection=Samples' || tap "Try three sample documents" # the Chat room may have led to them before
step "the sample documents are read" logged 'msg=index collection=Samples files=3 indexed=3'
mkdir "$work/papers"
printf 'Either side may end the lease with sixty days of written notice.\n' >"$work/papers/lease.txt"
drop "$work/papers"
step "a dropped folder is read" logged 'msg=index collection=papers files=1 indexed=1'
printf 'A hedgehog lives under the compost.\n' >"$work/papers/minutes.txt"
step "a new file in it is noticed" logged 'msg=index collection=papers files=2 indexed=1'
picture 7-documents
tap "Filter"
step "the filter is shown when it is asked for" changed 7-documents 0.3
tap "Filter"
press ctrl+shift+o
step "files and folders can be marked together" changed 7-documents 20
press Escape
