"""Puts a report between the markers of a document. Usage: paste.py DOCUMENT REPORT"""

import sys

BEGIN, END = "<!-- report begin -->\n", "<!-- report end -->\n"

document, report = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
before, rest = document.split(BEGIN)
_, after = rest.split(END)
with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write(f"{before}{BEGIN}\n{report.rstrip()}\n\n{END}{after}")
