# SPDX-License-Identifier: BSD-3-Clause
# Parts what `pipesim bench --code` wrote into the page, on standard output, and its rows: the table of benchmarks goes
# to the file `rows`, with tabs between its cells.
#
#     awk -v rows=FILE.tsv -f docs/make/bench-code.awk PAGE.md
/^\| benchmarks \|/ { table = 1; print "[rows/bench-code.tsv](rows/bench-code.tsv) has each benchmark." }
table && /^\|-/ { next }
table && /^\|/ {
    gsub(/^\| ?| ?\|$/, "")
    gsub(/ ?\| ?/, "\t")
    print > rows
    next
}
{ table = 0; print }
