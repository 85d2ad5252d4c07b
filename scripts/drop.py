#!/usr/bin/env python3
"""Drops files on an X11 window, as a file manager does (XDND, version 5).

    drop.py WINDOW X Y PATH...

X and Y count from the window's upper left corner. Ends with 0 when the window
says that it took the files, else with 1 and a sentence. Needs python3-xlib.
"""

import sys
import time
import urllib.parse

from Xlib import X, Xatom, display
from Xlib.protocol import event

PATIENCE = 5.0  # seconds until a window that does not answer is given up


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    window_id, x, y = (int(a, 0) for a in sys.argv[1:4])
    uris = "".join("file://" + urllib.parse.quote(p) + "\r\n" for p in sys.argv[4:])

    d = display.Display()
    screen = d.screen()
    target = d.create_resource_object("window", window_id)
    source = screen.root.create_window(0, 0, 1, 1, 0, screen.root_depth)
    atom = {name: d.intern_atom(name) for name in (
        "XdndAware", "XdndEnter", "XdndPosition", "XdndStatus", "XdndDrop", "XdndFinished",
        "XdndSelection", "XdndActionCopy", "text/uri-list", "TARGETS")}
    if target.get_full_property(atom["XdndAware"], X.AnyPropertyType) is None:
        sys.exit("the window takes no dropped files")

    def send(kind, data):
        target.send_event(event.ClientMessage(
            window=target, client_type=atom[kind], data=(32, data)), event_mask=0)
        d.flush()

    def root_position():
        at = target.translate_coords(screen.root, 0, 0)
        return (x - at.x) << 16 | (y - at.y)

    source.set_selection_owner(atom["XdndSelection"], X.CurrentTime)
    send("XdndEnter", [source.id, 5 << 24, atom["text/uri-list"], 0, 0])
    send("XdndPosition", [source.id, 0, root_position(), X.CurrentTime, atom["XdndActionCopy"]])

    dropped = False
    until = time.time() + PATIENCE
    while time.time() < until:
        if not d.pending_events():
            time.sleep(0.01)
            continue
        e = d.next_event()
        if e.type == X.ClientMessage and e.client_type == atom["XdndStatus"] and not dropped:
            if not e.data[1][1] & 1:
                sys.exit("the window refuses the files")
            send("XdndDrop", [source.id, 0, X.CurrentTime, 0, 0])
            dropped = True
        elif e.type == X.SelectionRequest:
            answer(e, atom, uris)
            d.flush()
        elif e.type == X.ClientMessage and e.client_type == atom["XdndFinished"]:
            return
    sys.exit("the window did not answer")


def answer(request, atom, uris):
    """Gives the window the list of files, or the types in which it is to be had."""
    if request.target == atom["text/uri-list"]:
        request.requestor.change_property(request.property, request.target, 8, uris.encode())
    elif request.target == atom["TARGETS"]:
        request.requestor.change_property(request.property, Xatom.ATOM, 32, [atom["text/uri-list"]])
    else:
        request.property = X.NONE
    request.requestor.send_event(event.SelectionNotify(
        time=request.time, requestor=request.requestor, selection=request.selection,
        target=request.target, property=request.property))


if __name__ == "__main__":
    main()
