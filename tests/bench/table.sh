#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `pipesim roofline` takes for a table of very many kernels, each of which is launched once:
# processor time, and the most memory, by GNU time. PIPESIM is the program, ./pipesim unless set.
set -eu
profile=$(mktemp)
trap 'rm -f "$profile"' EXIT
trap 'exit 1' HUP INT TERM
printf '%-8s %-15s %10s %12s\n' kernels as seconds memory
for kernels in 1000 10000 100000; do
    perl -e '
        my @counted = map { "smsp__sass_thread_inst_executed_op_${_}_pred_on.sum" } qw(fp32 ffma integer memory);
        push @counted, "smsp__inst_executed.sum", "dram__bytes_read.sum", "dram__bytes_write.sum", "gpu__time_duration.sum";
        print join(",", map { "\"$_\"" } "ID", "Kernel Name", "CC", @counted), "\n";
        print join(",", map { "\"$_\"" } ("") x 3, ("inst") x 5, "Mbyte", "Mbyte", "usecond"), "\n";
        print join(",", map { "\"$_\"" } $_, "stencil_$_<float, 32>(float const*, float*, int, int)", "8.0", "9,000,000",
            "4,000,000", "2,000,000", "3,000,000", "900,000", "16.25", "8.50", 100 + $_ % 50), "\n" for 1 .. $ARGV[0];
        ' "$kernels" >"$profile"
    for as in '--format text' '--format csv' '--format json' '--top 10' '--launches apart'; do
        # shellcheck disable=SC2086 # they are words
        /usr/bin/time -f "%U %M" -o "$profile.time" "${PIPESIM:-./pipesim}" roofline "$profile" --gpu a100.xml $as >/dev/null 2>&1
        read -r seconds memory <"$profile.time"
        printf '%-8s %-15s %8s s %9d kB\n' "$kernels" "${as#--format }" "$seconds" "$memory"
    done
    rm -f "$profile.time"
done
