#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# recording-read.sh PROGRAM FOLDER: a recording, and its chunks as the target puts them together.
set -eu
program=$(readlink -f "$1") folder=$2
beside=$(dirname "$program")
passing=$(mktemp -d)
trap 'rm -rf "$passing"' EXIT
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -I. -o "$passing/app" tests/program/driver-api.c \
    -L"$beside/libpipesim-driver" -lcuda -Wl,-rpath-link,"$beside" || exit 0
"$program" program --gpu v100 --record "$folder/recording" -o "$passing/table" -- "$passing/app" run >"$passing/said" || exit 0
command -v zstd >"$passing/which" || exit 0
perl -e '
    local $/;
    open my $in, "<:raw", $ARGV[0];
    my $all = <$in>;
    my $at = 1 + index $all, "\n";
    while ($at < length $all) {
        my ($kind, $process, $raw, $kept) = unpack "VVQ<Q<", substr $all, $at, 24;
        my $data = substr $all, $at + 56, $kept;
        if ($kept < $raw) {
            open my $packed, ">:raw", "$ARGV[1]/packed";
            print $packed $data;
            close $packed;
            $data = `zstd -dcq <"$ARGV[1]/packed"`;
        }
        if ($kind == 1) { # for the GPU of the target
            $data =~ s/sm_70/sm_60/g;
            substr $data, 4, 1, chr 60;
        }
        print pack("Cv", $kind, length $data), $data if $kind < 5 && length $data < 65536;
        $at += 56 + $kept;
    }' "$folder/recording" "$passing" >"$folder/chunks"
