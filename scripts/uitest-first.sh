# The part of uitest.sh about a first start with a Hub on loopback; it is sourced there. It counts
# the clicks until a real model answers.

if [ -s assets/starter-chat/starter-chat.gguf ]; then
	"${GO:-go}" build -o "$work/loopbackhub" ./scripts/loopbackhub
	"$work/loopbackhub" assets/starter-chat/starter-chat.gguf 4000000 >"$work/hub" &
	hub=$!
	started+=("$hub")
	within 10 test -s "$work/hub" || fail "the Hub on loopback does not start"
	export HF_ENDPOINT=$(cat "$work/hub") HF_HUB_CACHE=$work/first/hub
	first_home=$INGLENOOK_HOME first_log=$log
	INGLENOOK_HOME=$work/first/inglenook log=$work/first/inglenook/data/log/inglenook.log
	start_program
	xdotool windowsize --sync "$window" 1240 800
	sleep 1
	picture first-1
	write "What is this?"
	press Return
	step "without a click the guide answers" logged 'msg=chat .*starter-chat'
	press ctrl+n
	sleep 1
	click 786 375 # Get a larger model
	within 20 logged 'msg=suggest' || fail "nothing is recommended"
	sleep 0.5
	picture first-2-card
	click 785 368 # Download, which is higher where the card offers other models too
	within 3 logged 'msg=connection .*/resolve/' || click 785 400
	sleep 1
	picture first-3-downloading
	step "two clicks lead to a download" logged 'msg=connection .*/resolve/'
	step "and the model is loaded when it is here" logged 'msg="open chat" .*GGUF'
	sleep 1
	picture first-4-ready
	write "Hello"
	press Return
	step "it answers without another click" logged 'msg=chat .*GGUF'
	press ctrl+q
	within 10 gone || fail "the program does not end"
	kill "$hub" 2>/dev/null || true
	unset HF_ENDPOINT HF_HUB_CACHE
	INGLENOOK_HOME=$first_home log=$first_log
fi
