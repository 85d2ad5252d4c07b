# The part of uitest.sh about a first start with a Hub on loopback; it is sourced there. It counts
# the clicks until a real model answers.

if [ -s assets/starter-chat/starter-chat.gguf ]; then
	"$work/loopbackhub" assets/starter-chat/starter-chat.gguf 4000000 >"$work/hub" &
	hub=$!
	started+=("$hub")
	within 10 test -s "$work/hub" || fail "the Hub on loopback does not start"
	export HF_ENDPOINT=$(cat "$work/hub") HF_HUB_CACHE=$work/first/hub
	first_home=$INGLENOOK_HOME first_log=$log
	INGLENOOK_HOME=$work/first/inglenook log=$work/first/inglenook/data/log/inglenook.log
	start_program
	xdotool windowsize --sync "$window" 1240 800
	pause 1
	picture first-1
	write "What is this?"
	press Return
	step "without a click the guide answers" logged 'msg=chat .*starter-chat'
	press ctrl+n
	pause 1
	clicks=0
	tap "Get a larger model"
	within 20 logged 'msg=suggest' || fail "nothing is recommended"
	within 60 finds "Download " || fail "nothing is offered"
	pause 0.5
	picture first-2-card
	tap "Download "
	pause 1
	picture first-3-downloading
	step "two clicks lead to a download" logged 'msg=connection .*/resolve/'
	step "and the model is loaded when it is here" logged 'msg="open chat" .*GGUF'
	pause 1
	picture first-4-ready
	write "Hello"
	press Return
	step "it answers without another click" logged 'msg=chat .*GGUF'
	step "so it took two" test "$clicks" = 2
	press ctrl+q
	within 10 gone || fail "the program does not end"
	kill "$hub" 2>/dev/null || true
	unset HF_ENDPOINT HF_HUB_CACHE
	INGLENOOK_HOME=$first_home log=$first_log
fi
