# The part of uitest.sh about the Performance room; it is sourced there.

history=$INGLENOOK_HOME/data/performance.jsonl
measurements() { [ "$(wc -l <"$history")" = "$1" ]; }
in_measurement() { "$python" -c 'import json,sys; rows=json.loads(open(sys.argv[1]).readlines()[-1])["rows"]; sys.exit(not eval(sys.argv[2]))' "$history" "$1" 2>/dev/null; }

press ctrl+6
step "Ctrl+6 leads to Performance" kept 's["window"]["panel"] == "performance"'
pause 1
picture 6-chosen
click 290 112 # the model of the chat is chosen
pause 0.7
click 250 213 # the first one of the list, below its search, makes vectors
pause 0.7
picture 6-before
step "another model can be chosen" changed 6-chosen 0.1
step "predictions show before anything is measured, or why there are none" changed 6-chosen 0.2
tap "Measure this model"
within 400 test -s "$history" || fail "nothing is measured"
step "Measure measures and keeps it" measurements 1
# A busy processor's predictions are not kept; the measurement says that it was busy.
step "with the predictions" in_measurement 'all(r["measures"][0].get("predicted", 0) > 0 or r["others"] > 0.1 for r in rows)'
step "and 8-bit weights that agree" in_measurement '[r["agreement"] > 0.999 for r in rows if r.get("weights") == "q8_0"] == [True]'
pause 0.5
picture 6-performance
tap "Details"
pause 0.5
tap "Operations"
pause 0.5
step "the details show the operations" changed 6-performance 0.5
picture 6-operations
tap "By number"
pause 0.5
step "and By number what to tick for it" changed 6-operations 0.5
picture 6-by-size
tap "History"
pause 0.5
step "another tab shows the history" changed 6-by-size 0.5
picture 6-history
press ctrl+s
pause 1
press Return
step "the measurement is saved as CSV" logged "msg=exported file=performance.csv"
step "with a speed in each line" "$python" -c "
import csv; r = list(csv.DictReader(open('$HOME/performance.csv')))
assert {x['work'] for x in r} == {'embed'} and all(float(next(v for k, v in x.items() if k.startswith('median'))) > 0 and not x['failed'] for x in r)"
press ctrl+shift+s
pause 1
press Return
step "and as a picture" logged "msg=exported file=performance.png"
cp "$HOME/performance.png" "$pictures/6-saved.png"
press ctrl+Return
pause 0.3
press Escape
pause 2
step "Escape ends a measurement, which is not kept" measurements 1
click 240 786 # the chip of the device, which a legend may be called like
step "a click on the chip leads to the page about this computer" changed 6-before 5
pause 1
picture 6-devices
step "where the monitor moves" changed 6-devices 0.005
