#!/usr/bin/env python3
"""An adapter that parses each request and answers the n-th with the n-th line of a file.

Usage: canned.py HELLO ANSWERS
"""
import json
import sys

hello, answers = (open(path, encoding="utf-8", newline="\n").read().strip("\n").split("\n") for path in sys.argv[1:3])
count = 0
for line in sys.stdin.buffer:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    if message["type"] == "hello":
        print(hello[0], flush=True)
        continue
    answer = json.loads(answers[count % len(answers)])
    count += 1
    print(json.dumps({"type": "outcome", "id": message["id"], "steps": answer}), flush=True)
