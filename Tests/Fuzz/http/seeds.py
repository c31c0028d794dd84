#!/usr/bin/env python3
"""Writes the short wire cases as seeds: seeds.py FOLDER."""
import base64
import json
import pathlib
import sys

LONGEST = 4096  # bytes; longer inputs only slow the fuzzer down

folder = pathlib.Path(sys.argv[1])
wire = pathlib.Path(__file__).resolve().parents[2] / "Wire"
for name in ("cases.jsonl", "more.jsonl", "third.jsonl"):
    for line in (wire / name).read_text().splitlines():
        case = json.loads(line)
        data = base64.b64decode(case["send_b64"])
        if len(data) <= LONGEST:
            (folder / case["id"]).write_bytes(data)
