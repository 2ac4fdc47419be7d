# SPDX-License-Identifier: BSD-3-Clause
# Of a table of entries and a library's name (-v library=cuda): with -v what=c its entries in C, with -v what=map its script
# of versions (-v node=libcudart.so.13, or none).
/^#/ || NF == 0 { next }
NF != 5 || $5 !~ /^[+-]$/ {
    printf "%s:%d: an entry has five fields\n", FILENAME, FNR > "/dev/stderr"
    failed = 1
    exit 1
}
$1 == library || library ~ "^" $1 "1[23]$" {
    symbol[++n] = $2
    version[n] = $3 == "-" ? 0 : $3
    thread[n] = $4
    there[n] = $5 == "+"
}

function plain(name) { sub(/_v[0-9]+$/, "", name); return name }

function say_map(i) {
    printf "%s{\nglobal:\n", node ? node " " : ""
    for (i = 1; i <= n; i++) {
        print "    " symbol[i] ";"
        if (thread[i] != "-")
            print "    " symbol[i] "_" thread[i] ";"
    }
    if (library == "cuda")
        print "    driver_missing;\n    driver_stand_in;" # for our other libraries
    print "local:\n    *;\n};"
}

# The assembler's jump stands in for an alias, which C allows within one file alone.
function say_thread(name, of) {
    printf "__asm__(\".globl %s\\n.type %s,%%function\\n%s:\\n\" JUMP \" %s\\n\");\n", name, name, name, of
}

function say_c(i, not_there) {
    print "#include \"driver/entry.h\"\n"
    print "#include <stddef.h>\n"
    print "#ifdef __x86_64__\n#define JUMP \"jmp\"\n#else\n#define JUMP \"b\"\n#endif\n"
    print "int driver_missing(const char *name);\n"
    print "#pragma GCC visibility push(default)"
    # the driver's number, or CUBLAS_STATUS_NOT_SUPPORTED
    not_there = library ~ /^cublas/ ? " ? 15 : 15" : ""
    for (i = 1; i <= n; i++) {
        if (there[i])
            printf "void %s(void);\n", symbol[i]
        else
            printf "int %s(void)\n{\n    return driver_missing(\"%s\")%s;\n}\n", symbol[i], symbol[i], not_there
        if (thread[i] != "-")
            printf "void %s_%s(void);\n", symbol[i], thread[i]
    }
    print "#pragma GCC visibility pop"
    print "__asm__(\".text\");"
    for (i = 1; i <= n; i++)
        if (thread[i] != "-")
            say_thread(symbol[i] "_" thread[i], symbol[i])
    if (library != "cuda")
        return
    print "\nconst Entry driver_entries[] = {"
    for (i = 1; i <= n; i++)
        if (there[i])
            printf "    {\"%s\", %d, (void *)%s, %s},\n", plain(symbol[i]), version[i], symbol[i],
                thread[i] == "-" ? "NULL" : "(void *)" symbol[i] "_" thread[i]
    print "    {NULL, 0, NULL, NULL}};"
}

END {
    if (failed)
        exit 1
    if (what == "map")
        say_map()
    else
        say_c()
}
