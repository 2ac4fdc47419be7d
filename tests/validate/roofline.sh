#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What others published of rooflines, and what pipesim makes of the same inputs: prints the tables
# of docs/evidence/roofline.md, in its form. Figures of papers are read from that document, so that they stand
# in one place.
#
#     tests/validate/roofline.sh example        the example of the quantitative roofline
#     tests/validate/roofline.sh table-4        the paper's errors on an R9 Nano
#     tests/validate/roofline.sh eight-steps    GPP on a V100, version by version
#     tests/validate/roofline.sh veccopy        a profile of a copy on an MI210
#     tests/validate/roofline.sh stencil        a stencil, counted on a K40c, on a P100
#
# PIPESIM is the program, ./pipesim unless set. With DATA=FILE, eight-steps also writes there what a
# chart needs: version, TFLOP/s of both problems, both ceilings.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/../.."

page=docs/evidence/roofline.md
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# predict ARGUMENT...: the CSV of `pipesim roofline`. What it warns of, the page tells.
predict() {
    if ! "${PIPESIM:-./pipesim}" roofline "$@" --format csv 2>"$tmp/messages"; then
        cat "$tmp/messages" >&2
        exit 1
    fi
}

# columns PROGRAM FILE...: awk with value(NAME), a column of the CSV's row; counted from the end,
# since a kernel's name may have commas.
columns() {
    program=$1
    shift
    # shellcheck disable=SC2016 # awk's fields
    awk -F, '
        function value(name) {
            if (!(name in column)) { print "no column " name > "/dev/stderr"; exit 1 }
            return $(NF + column[name])
        }
        $1 == "kernel" { for (i = 1; i <= NF; i++) column[$i] = i - NF; next }
        '"$program" "$@"
}

# published WORDS: the rows of the page's table whose heading begins so, without bars and percent.
published() {
    awk -v words="$1" '
        index($0, "| " words) == 1 { inside = 1; next }
        !/^\|/ { inside = 0 }
        inside && !/^\|:?-/ { gsub(/[|%]/, " "); print }' "$page"
}

# Measured on the GTX 960, and what the published tool predicted for both.
example() {
    profile=tests/profiles/gpuroofperf-example.json
    {
        predict $profile --gpu gtx660.xml
        predict $profile --gpu gtx960.xml --measured 2.9151
        predict $profile --gpu gtx960.xml --measured 2.9151 --clock 1178
        predict $profile --gpu gtx960.xml --measured 2.9151 --clock 1401.5
    } >"$tmp/example.csv"
    echo '| GPU | clock in MHz | predicted | the tool | difference | measured | error |'
    echo '|:--|--:|--:|--:|--:|--:|--:|'
    # shellcheck disable=SC2016
    columns '{
        tool = value("gpu") ~ /660/ ? 5.21397 : 2.56032
        ms = 1e3 * value("seconds")
        printf "| %s | %s | %.3f ms | %.3f ms | %+.2f %% | ", value("gpu"), value("clock_mhz") + 0, ms, tool, 100 * (ms / tool - 1)
        if (value("error") == "") print "| |"
        else printf "%.3f ms | %+.1f %% |\n", 1e3 * value("measured_seconds"), 100 * value("error")
    }' "$tmp/example.csv"
}

# The kernels' parameters are not published: this is what the definition of the error makes of the
# printed times, from the lowest to the highest that their rounding leaves open.
table_4() {
    echo '| kernel | error from the times | lowest | highest | printed | |'
    echo '|:--|--:|--:|--:|--:|:--|'
    published 'kernel (R9 Nano)' | awk '
        {
            printed = $NF; measured = $(NF - 1); predicted = $(NF - 2)
            name = $1; for (i = 2; i < NF - 2; i++) name = name " " $i
            low = 100 * ((predicted - 0.005) / (measured + 0.005) - 1)
            high = 100 * ((predicted + 0.005) / (measured - 0.005) - 1)
            inside = printed + 0.005 >= low && printed - 0.005 <= high
            printf "| %s | %.2f %% | %.2f %% | %.2f %% | %.2f %% | %s |\n", name, 100 * (predicted / measured - 1),
                low, high, printed, inside ? "inside" : "OUTSIDE"
        }'
}

# Of the double precision instructions 58 % are multiply-adds, and the clock is 1312 MHz. Operations
# are rate times time. Traffic is not published, so that nothing but ceilings of computing is known.
eight_steps() {
    published 'version' | awk '
        function kernel(name, time, rate) {
            printf "%s{\"name\": \"%s\", \"measured_seconds\": %s, \"parameters\": ", comma, name, time
            printf "{\"K_type\": \"fp64\", \"W_comp\": %.6e, \"E_mix\": %.4f}}", rate * time * 1e12, (2 * 0.58 + 0.42) / 2
            comma = ",\n"
        }
        BEGIN { printf "{\"kernels\": [" }
        { kernel("Si-214 " $1, $2, $3); kernel("Si-510 " $1, $4, $5) }
        END { print "]}" }' >"$tmp/steps.json"
    predict "$tmp/steps.json" --gpu v100.xml --clock 1312 >"$tmp/steps.csv"
    # shellcheck disable=SC2016
    columns '
        function share(x) { return sprintf("%.1f %%", 100 * x) }
        BEGIN {
            print "| | Si-214: TFLOP/s | of the peak | of the customised | 10^12 operations | Si-510: TFLOP/s | of the peak | of the customised | 10^12 operations |"
            print "|:--|--:|--:|--:|--:|--:|--:|--:|--:|"
        }
        {
            rate = value("W_comp") / value("measured_seconds") / 1e12
            peak = value("T_op") / 1e12
            custom = value("W_comp") / value("ceiling_seconds") / 1e12
            cells = sprintf("%.3f | %s | %s | %.2f |", rate, share(value("efficiency")), share(rate / custom), value("W_comp") / 1e12)
            split($1, name, " ")
            if (name[2] == "v0") { first[name[1]] = value("measured_seconds"); slow[name[1]] = rate }
            faster[name[1]] = sprintf("%s: rate times %.2f, time by %.2f", name[1], rate / slow[name[1]], first[name[1]] / value("measured_seconds"))
            if (name[1] == "Si-214") {
                printf "| %s | %s ", name[2], cells
                row = name[2] " " rate
            } else {
                print cells
                if (data != "") print row, rate, peak, custom > data
            }
        }
        END {
            printf "\nPeak: %.2f TFLOP/s. Customised: %.2f TFLOP/s.\nFrom v0 to v8, %s; %s.\n", peak, custom,
                faster["Si-214"], faster["Si-510"]
        }' data="${DATA:-}" "$tmp/steps.csv"
}

veccopy() {
    predict tests/profiles/mi200-veccopy-pmc_perf.csv --gpu mi210.xml >"$tmp/copy.csv"
    echo '| traffic | predicted | measured | error | bound | achieved bandwidth | of B_mem |'
    echo '|--:|--:|--:|--:|:--|--:|--:|'
    # shellcheck disable=SC2016
    columns '{
        bandwidth = value("W_traf") / value("measured_seconds") / 1e9
        printf "| %d bytes | %.2f us | %.2f us | %+.1f %% | %s | %.0f GB/s | %.1f %% |\n", value("W_traf"),
            1e6 * value("seconds"), 1e6 * value("measured_seconds"), 100 * value("error"), value("bound"),
            bandwidth, 100 * value("efficiency")
    }' "$tmp/copy.csv"
}

# What the page's table counts for each point, 320^3 times; the longest ceiling comes first.
stencil() {
    published 'counted for each point' | awk '
        { of[$1] = $NF * 320 ^ 3 }
        END {
            fp32 = of["M_fp32"]; all = of["M_inst"]
            printf "{\"kernels\": [{\"name\": \"stencil\", \"parameters\": {\"K_type\": \"fp32\", "
            printf "\"W_comp\": %.10g, \"W_traf\": %.10g, ", fp32 + of["M_fma32"], of["M_tran-r"] + of["M_tran-w"]
            printf "\"E_mix\": %.10g, \"D_ops\": %.10g, ", (fp32 + of["M_fma32"]) / 2 / fp32, fp32 / all
            printf "\"D_ldst\": %.10g, \"traffic\": {\"L2\": %.10g}}, \"metrics\": {", of["M_ldst"] / all, of["M_l2"]
            for (name in of) { printf "%s\"%s\": %.10g", comma, name, of[name]; comma = ", " }
            print "}}]}"
        }' >"$tmp/stencil.json"
    "${PIPESIM:-./pipesim}" roofline "$tmp/stencil.json" --gpu p100.xml --format json >"$tmp/answer.json"
    # shellcheck disable=SC2016 # they are Perl's
    perl -MJSON::PP -e '
        local $/;
        my $prediction = decode_json(<>)->{kernels}[0]{predictions}[0];
        my %of = %{$prediction->{ceilings}};
        my @units = grep { ref $of{$_} && ($of{$_}{seconds} // 0) > 0 } keys %of;
        print "| at least | | peak in 10^9 per second | of 3.43 ms |\n|:--|--:|--:|--:|\n";
        printf "| %s | %.2f ms | %.0f | %.0f %% |\n", $_, 1e3 * $of{$_}{seconds}, $of{$_}{peak} / 1e9,
            100 * $of{$_}{seconds} / 3.43e-3
            for sort { $of{$b}{seconds} <=> $of{$a}{seconds} } @units;
        printf "\nEquation 19 has %.2f ms.\n", 1e3 * ($prediction->{equations} // $prediction)->{seconds};' "$tmp/answer.json"
}

case ${1:-} in
example) example ;;
table-4) table_4 ;;
eight-steps) eight_steps ;;
veccopy) veccopy ;;
stencil) stencil ;;
*)
    echo "usage: $0 example | table-4 | eight-steps | veccopy | stencil" >&2
    exit 2
    ;;
esac
