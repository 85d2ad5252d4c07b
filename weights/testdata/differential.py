"""Says for each of many files whether the reference reader accepts it.

Reads from standard input, again and again, 8 bytes (little-endian) that hold a
length and then so many bytes: one file. Writes for each a line: "ok", or
"no" and the reader's message. Run by TestDifferential.
"""

import struct
import sys

import safetensors


def main():
    source = sys.stdin.buffer
    print(safetensors.__version__)
    while prefix := source.read(8):
        (length,) = struct.unpack("<Q", prefix)
        try:
            safetensors.deserialize(source.read(length))
            print("ok")
        except safetensors.SafetensorError as error:
            print("no", repr(str(error)))


main()
