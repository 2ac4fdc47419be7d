/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The grammar of PTX. It is pure: no global state. Actions that meet something wrong say so, and
 * the lexer then ends the parse. Of an instruction's operands the grammar knows the forms only, since
 * new instructions combine the old forms.
 */
%code requires {
#include "ptx/parser.h"
}

%code provides {
int ps_ptx_yylex(PS_PTX_YYSTYPE *value, void *scanner);
}

%code {
#include <string.h>

/* Brackets, braces and signs that can be open at once, about. Lists and sums need none. */
#define YYMAXDEPTH 4000

/* Bytes of a token that a message shows. */
#define MAX_QUOTED ((gsize)80)

static void yyerror(void *scanner, PsPtxParser *parser, const char *message);
static void set_version(PsPtxParser *parser, const char *text, gsize length);
static void set_target(PsPtxParser *parser, guint first);
static void set_file(PsPtxParser *parser, guint64 number, char *name);
static void check_inline(PsPtxParser *parser, const PsPtxName *word, const char *expected);
static void set_address_size(PsPtxParser *parser, guint64 size);
static void set_pointee(PsPtxParser *parser, PsPtxSpace space);
static guint add_word(PsPtxParser *parser, PsPtxName *name);
static guint add_number(PsPtxParser *parser, PsPtxValue value);
static PsPtxName *join(PsPtxParser *parser, const PsPtxName *opcode, const PsPtxName *part);
#define NUMBER(value) ps_ptx_value_count(parser, value)
}

%define api.pure full
%define api.prefix {ps_ptx_yy}
%define api.token.prefix {PTX_}
%define parse.error custom
%define parse.lac full
%param {void *scanner}
%parse-param {PsPtxParser *parser}

%union {
    PsPtxValue value;
    struct {
        PsPtxName *name;
        int line;
    } word;
    struct {
        PsPtxName *name;
        int number;
    } dot;
    struct {
        const char *start;
        gsize length;
    } text;
    guint index;
}

%token <word> WORD "a name"
%token <value> INTEGER "a number" FLOAT "a floating-point number"
%token <text> STRING "a string" VERSION_NUMBER "a version such as 8.0"
%token <dot> TYPE "a type such as .u32" VECTOR ".v2, .v4 or .v8"
%token <dot> SPACE "a state space such as .global" LINKAGE ".visible" UNKNOWN "a modifier"
%token REG ".reg" ALIGN ".align" PTR ".ptr" ATTRIBUTE ".attribute"
%token VERSION ".version" TARGET ".target" ADDRESS_SIZE ".address_size"
%token FILE ".file" LOC ".loc" SECTION ".section" PRAGMA ".pragma" ALIAS ".alias"
%token ENTRY ".entry" FUNC ".func" MAXNTID ".maxntid" REQNTID ".reqntid" CLUSTER ".reqnctapercluster"
%token IN_CLUSTERS ".blocksareclusters"
%token NUMBERS ".minnctapersm" MAXNREG ".maxnreg" FLAG ".noreturn"
%token BRANCHTARGETS ".branchtargets" CALLTARGETS ".calltargets" CALLPROTOTYPE ".callprototype"
%token GENERIC "generic" INVALID
%token SHL "<<" SHR ">>" LE "<=" GE ">=" EQ "==" NE "!=" AND "&&" OR "||"

%type <value> expr operand vector square
%type <index> list operands words numbers
%type <word> opcode
%type <dot> part

%right '?' ':'
%left OR
%left AND
%left '|'
%left '^'
%left '&'
%left EQ NE
%left '<' '>' LE GE
%left SHL SHR
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY

%%

module: %empty
      | module item
      ;

item: VERSION VERSION_NUMBER    { set_version(parser, $2.start, $2.length); }
    | TARGET                    { parser->target_line = parser->token_line; }
      words                     { set_target(parser, $3); }
    | ADDRESS_SIZE INTEGER      { set_address_size(parser, NUMBER($2)); }
    | ALIAS WORD ',' WORD ';'   { ps_ptx_alias(parser, $2.name, $4.name); }
    | common
    | linkage variables ';'
    | function
    ;

/* What may stand within functions and outside. */
common: FILE INTEGER STRING file_rest {
            g_autofree char *spelled = g_strndup($3.start, $3.length);
            set_file(parser, NUMBER($2), g_strcompress(spelled));
        }
      | LOC INTEGER INTEGER INTEGER loc_rest {
            ps_ptx_loc(parser, (guint64[]){NUMBER($2), NUMBER($3), NUMBER($4)});
        }
      | SECTION
      | pragma
      | UNKNOWN                 { ps_ptx_skip(parser, $1.name); }
      | ';'
      ;

file_rest: %empty | ',' INTEGER ',' INTEGER ;

loc_rest: %empty
        | loc_rest ',' WORD WORD            { check_inline(parser, $3.name, "function_name"); }
        | loc_rest ',' WORD WORD '+' INTEGER { check_inline(parser, $3.name, "function_name"); }
        | loc_rest ',' WORD INTEGER INTEGER INTEGER {
              check_inline(parser, $3.name, "inlined_at");
              ps_ptx_loc_inlined(parser, (guint64[]){NUMBER($4), NUMBER($5), NUMBER($6)});
          }
        ;

pragma: PRAGMA strings ';' ;
strings: string | strings ',' string ;
string: STRING  { ps_ptx_pragma(parser, $1.start, $1.length); } ;

words: WORD             { $$ = add_word(parser, $1.name); }
     | words ',' WORD   { $$ = $1; add_word(parser, $3.name); }
     ;

numbers: INTEGER                { $$ = add_number(parser, $1); }
       | numbers ',' INTEGER    { $$ = $1; add_number(parser, $3); }
       ;

/* ---- variables ------------------------------------------------------------------------------ */

linkage: %empty             { parser->declared.external = FALSE; }
       | linkage LINKAGE    { parser->declared.external |= $2.number; }
       ;

space: SPACE    { ps_ptx_declare_begin(parser, (PsPtxSpace)$1.number); } ;
reg: REG        { ps_ptx_declare_begin(parser, PS_PTX_REG); } ;

attributes: %empty | attributes attribute ;

attribute: ALIGN INTEGER    { ps_ptx_declare_align(parser, NUMBER($2)); }
         | TYPE             { parser->declared.type = (PsPtxType)$1.number; }
         | VECTOR           { parser->declared.vector = (guint)$1.number; }
         | PTR              { parser->declared.pointer = TRUE; }
         | SPACE            { set_pointee(parser, (PsPtxSpace)$1.number); }
         | uses
         | UNKNOWN          {
               ps_ptx_warn(parser, parser->token_line, $1.name->text,
                           "\"%s\" is no directive that pipesim knows; it is ignored",
                           $1.name->text);
           }
         ;

/* .attribute(.managed), .attribute(.unified(19, 95)) */
uses: ATTRIBUTE '(' use_list ')' ;
use_list: use | use_list ',' use ;
use: UNKNOWN | UNKNOWN '(' numbers ')' { g_array_set_size(parser->numbers, $3); } ;

variables: space attributes variable_list ;
variable_list: variable | variable_list ',' variable ;
variable: variable_name dims initial ;
variable_name: WORD     { ps_ptx_declare_variable(parser, $1.name); } ;

dims: %empty
    | dims '[' ']'      { ps_ptx_declare_dim(parser, 0); }
    | dims '[' expr ']' { ps_ptx_declare_dim(parser, NUMBER($3)); }
    ;

initial: %empty
       | '=' initial_value  { ps_ptx_initial_end(parser); }
       ;

initial_value: expr     { ps_ptx_initial_value(parser, $1); }
             | initial_open '}'                     { ps_ptx_initial_close(parser); }
             | initial_open initial_list '}'        { ps_ptx_initial_close(parser); }
             | initial_open initial_list ',' '}'    { ps_ptx_initial_close(parser); }
             ;

initial_open: '{'       { ps_ptx_initial_open(parser); } ;
initial_list: initial_item | initial_list ',' initial_item ;
initial_item: initial_value
            | WORD '=' expr     { (void)$3; /* of a texture or sampler */ }
            ;

registers: reg attributes register_list ;
register_list: register | register_list ',' register ;
register: WORD                      { ps_ptx_declare_register(parser, $1.name); }
        | WORD '<' INTEGER '>'      { ps_ptx_declare_series(parser, $1.name, NUMBER($3)); }
        ;

/* ---- functions ------------------------------------------------------------------------------ */

function: entry function_name parameters headers body
        | func function_name parameters headers body
        | func returns function_name parameters headers body
        ;

entry: linkage ENTRY    { ps_ptx_function_begin(parser, TRUE); } ;
func: linkage FUNC      { ps_ptx_function_begin(parser, FALSE); }
    | func uses
    ;

returns: returns_open params ')' | returns_open ')' ;
returns_open: '('       { parser->params = parser->function->returns; } ;
function_name: WORD     { ps_ptx_function_name(parser, $1.name); } ;

parameters: %empty | '(' ')' | '(' params ')' ;
params: param | params ',' param ;
param: space attributes param_name dims
     | reg attributes param_name dims
     ;
param_name: WORD        { ps_ptx_declare_param(parser, $1.name); } ;

headers: %empty | headers header ;
header: MAXNTID numbers { ps_ptx_function_threads(parser, parser->function->most, $2); }
      | REQNTID numbers { ps_ptx_function_threads(parser, parser->function->required, $2); }
      | CLUSTER numbers { ps_ptx_function_cluster(parser, $2); }
      | MAXNREG numbers { ps_ptx_function_registers(parser, $2); }
      | IN_CLUSTERS     { parser->function->in_clusters = TRUE; }
      | promise
      | pragma
      | uses
      | UNKNOWN         { ps_ptx_skip(parser, $1.name); }
      ;
promise: NUMBERS numbers    { g_array_set_size(parser->numbers, $2); }
       | FLAG
       ;

body: ';'                           { ps_ptx_function_end(parser); }
    | body_open statements '}'      { ps_ptx_function_end(parser); }
    ;
body_open: '{'  { ps_ptx_function_body(parser); } ;

/* ---- statements ----------------------------------------------------------------------------- */

statements: %empty | statements statement ;

statement: common
         | registers ';'
         | linkage variables ';'
         | block_open statements '}'        { ps_ptx_scope_close(parser); }
         | WORD ':'                         { ps_ptx_label(parser, $1.name); }
         | WORD ':' BRANCHTARGETS words ';' { ps_ptx_table(parser, $1.name, $4); }
         | WORD ':' CALLTARGETS words ';'   {
               g_array_set_size(parser->words, $4);
               ps_ptx_other(parser, $1.name);
           }
         | WORD ':' prototype ';'           {
               parser->prototype = FALSE;
               ps_ptx_other(parser, $1.name);
           }
         | instruction
         | guard instruction
         ;

block_open: '{'     { ps_ptx_scope_open(parser); } ;

prototype: prototype_open prototype_returns WORD parameters promises ;
prototype_open: CALLPROTOTYPE   { parser->prototype = TRUE; } ;
prototype_returns: %empty | '(' ')' | '(' params ')' ;
promises: %empty | promises promise ;

guard: '@' WORD         { ps_ptx_guard(parser, $2.name, FALSE); }
     | '@' '!' WORD     { ps_ptx_guard(parser, $3.name, TRUE); }
     ;

instruction: opcode operands ';' {
                 parser->instruction_line = $1.line;
                 ps_ptx_instruction(parser, $1.name, $2);
             }
           ;

opcode: WORD
      | opcode part     { $$.name = join(parser, $1.name, $2.name); $$.line = $1.line; }
      ;
part: TYPE | VECTOR | SPACE | UNKNOWN ;

operands: %empty        { $$ = parser->values->len; }
        | list
        ;

list: operand           { $$ = ps_ptx_value_push(parser, $1); }
    | list ',' operand  { $$ = $1; ps_ptx_value_push(parser, $3); }
    ;

operand: expr | vector | square
       | vector '|' expr    { $$ = ps_ptx_value_binary(parser, '|', $1, $3); }
       ;
vector: '{' list '}'    { $$ = ps_ptx_value_vector(parser, $2); } ;
square: '[' list ']'    { $$ = ps_ptx_value_list(parser, $2, PS_PTX_SQUARE); } ;

expr: INTEGER
    | FLOAT
    | WORD                      { $$ = ps_ptx_value_name(parser, $1.name); }
    | WORD '[' expr ']'         { $$ = ps_ptx_value_index(parser, $1.name, $3); }
    | '(' ')'                   {
          $$ = ps_ptx_value_list(parser, parser->values->len, PS_PTX_ROUND);
      }
    | '(' list ')'              { $$ = ps_ptx_value_list(parser, $2, PS_PTX_ROUND); }
    | '(' TYPE ')' expr %prec UNARY {
          $$ = ps_ptx_value_cast(parser, (PsPtxType)$2.number, $4);
      }
    | INTEGER '(' expr ')'      { $$ = ps_ptx_value_masked(parser, $1, $3); }
    | GENERIC '(' expr ')'      { $$ = $3; $$.generic = TRUE; }
    | '+' expr %prec UNARY      { $$ = ps_ptx_value_unary(parser, '+', $2); }
    | '-' expr %prec UNARY      { $$ = ps_ptx_value_unary(parser, '-', $2); }
    | '!' expr %prec UNARY      { $$ = ps_ptx_value_unary(parser, '!', $2); }
    | '~' expr %prec UNARY      { $$ = ps_ptx_value_unary(parser, '~', $2); }
    | expr '+' expr             { $$ = ps_ptx_value_binary(parser, '+', $1, $3); }
    | expr '-' expr             { $$ = ps_ptx_value_binary(parser, '-', $1, $3); }
    | expr '*' expr             { $$ = ps_ptx_value_binary(parser, '*', $1, $3); }
    | expr '/' expr             { $$ = ps_ptx_value_binary(parser, '/', $1, $3); }
    | expr '%' expr             { $$ = ps_ptx_value_binary(parser, '%', $1, $3); }
    | expr '&' expr             { $$ = ps_ptx_value_binary(parser, '&', $1, $3); }
    | expr '|' expr             { $$ = ps_ptx_value_binary(parser, '|', $1, $3); }
    | expr '^' expr             { $$ = ps_ptx_value_binary(parser, '^', $1, $3); }
    | expr '<' expr             { $$ = ps_ptx_value_binary(parser, '<', $1, $3); }
    | expr '>' expr             { $$ = ps_ptx_value_binary(parser, '>', $1, $3); }
    | expr SHL expr             { $$ = ps_ptx_value_binary(parser, PTX_SHL, $1, $3); }
    | expr SHR expr             { $$ = ps_ptx_value_binary(parser, PTX_SHR, $1, $3); }
    | expr LE expr              { $$ = ps_ptx_value_binary(parser, PTX_LE, $1, $3); }
    | expr GE expr              { $$ = ps_ptx_value_binary(parser, PTX_GE, $1, $3); }
    | expr EQ expr              { $$ = ps_ptx_value_binary(parser, PTX_EQ, $1, $3); }
    | expr NE expr              { $$ = ps_ptx_value_binary(parser, PTX_NE, $1, $3); }
    | expr AND expr             { $$ = ps_ptx_value_binary(parser, PTX_AND, $1, $3); }
    | expr OR expr              { $$ = ps_ptx_value_binary(parser, PTX_OR, $1, $3); }
    | expr '?' expr ':' expr    { $$ = ps_ptx_value_choose(parser, $1, $3, $5); }
    ;

%%

/* ---- small actions -------------------------------------------------------------------------- */

static void set_version(PsPtxParser *parser, const char *text, gsize length)
{
    g_autofree char *copy = g_strndup(text, length);
    char *point;

    parser->module->version_major = (guint)g_ascii_strtoull(copy, &point, 10);
    parser->module->version_minor = (guint)g_ascii_strtoull(point + 1, NULL, 10);
    ps_ptx_check_version(parser);
}

static void set_target(PsPtxParser *parser, guint first)
{
    g_free(parser->module->target);
    parser->module->target = g_strdup(g_array_index(parser->words, PsPtxName *, first)->text);
    for (guint i = first + 1; i < parser->words->len; i++)
        if (strcmp(g_array_index(parser->words, PsPtxName *, i)->text, "debug") == 0)
            parser->module->debug = TRUE;
    g_array_set_size(parser->words, first);
    ps_ptx_check_target(parser);
}

static void set_address_size(PsPtxParser *parser, guint64 size)
{
    if (size != 32 && size != 64)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        ".address_size is 32 or 64, not %" G_GUINT64_FORMAT, size);
    parser->module->address_size = (guint)size;
}

static void set_file(PsPtxParser *parser, guint64 number, char *name)
{
    if (number > G_MAXUINT16)
        ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->token_line,
                        "the number of a .file is at most %u, not %" G_GUINT64_FORMAT,
                        (guint)G_MAXUINT16, number);
    g_hash_table_replace(parser->module->files, GUINT_TO_POINTER((guint)number), name);
}

static void set_line(PsPtxParser *parser, guint64 file, guint64 line)
{
    if (file > G_MAXUINT16 || line > G_MAXINT32) {
        ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->token_line,
                        "a .loc has a file up to %u and a line up to %d", (guint)G_MAXUINT16,
                        G_MAXINT32);
        return;
    }
    parser->file = (guint16)file;
    parser->source_line = (int)line;
}

static void check_inline(PsPtxParser *parser, const PsPtxName *word, const char *expected)
{
    if (strcmp(word->text, expected) != 0)
        ps_ptx_complain(parser, PS_ERROR_SYNTAX, parser->token_line,
                        "\"%s\" where function_name or inlined_at is expected", word->text);
}

/* The space that a pointer points to. */
static void set_pointee(PsPtxParser *parser, PsPtxSpace space)
{
    parser->declared.to_shared = space == PS_PTX_SHARED;
    if (!parser->declared.pointer)
        ps_ptx_complain(parser, PS_ERROR_SYNTAX, parser->token_line,
                        "a second state space stands behind .ptr only");
}

static guint add_word(PsPtxParser *parser, PsPtxName *name)
{
    g_array_append_val(parser->words, name);
    return parser->words->len - 1;
}

static guint add_number(PsPtxParser *parser, PsPtxValue value)
{
    const guint64 number = NUMBER(value);

    g_array_append_val(parser->numbers, number);
    return parser->numbers->len - 1;
}

/* "ld" and ".global", apart */
static PsPtxName *join(PsPtxParser *parser, const PsPtxName *opcode, const PsPtxName *part)
{
    g_autofree char *text = g_strconcat(opcode->text, part->text, NULL);

    return ps_ptx_intern(parser, text, strlen(text));
}

/* ---- errors --------------------------------------------------------------------------------- */

/* A group of symbols that has a word of its own; it is meant where the first two can stand. */
static const char *group_name(const gboolean *can)
{
    if (can[YYSYMBOL_VERSION])
        return "a directive such as .entry";
    if (can[YYSYMBOL_WORD] && can[YYSYMBOL_LOC])
        return "an instruction, a label, a directive or \"}\"";
    if (can[YYSYMBOL_SPACE] && can[YYSYMBOL_ENTRY])
        return "a declaration such as .entry or .global";
    if (can[YYSYMBOL_INTEGER] && can[YYSYMBOL_GENERIC])
        return "an operand";
    if (can[YYSYMBOL_MAXNTID])
        return "\"{\", \";\" or a directive such as .maxntid";
    if (can[YYSYMBOL_TYPE] && can[YYSYMBOL_ALIGN])
        return can[YYSYMBOL_WORD] ? "a type or a name" : "a type";
    return NULL;
}

/* What could go on after a value but seldom is what is missing. */
static gboolean is_operator(yysymbol_kind_t symbol)
{
    const char *name = yysymbol_name(symbol);

    return name[0] == '\'' ? strchr("+-*/%&|^<>?[", name[1]) != NULL : strpbrk(name, "<>=&|") != NULL;
}

/* What could stand at the error, in words. The caller frees. */
static char *describe(const yypcontext_t *context)
{
    yysymbol_kind_t symbols[YYNTOKENS];
    const int n = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    gboolean can[YYNTOKENS] = {FALSE}, after_value = FALSE;
    GString *text = g_string_new(NULL);

    for (int i = 0; i < n; i++) {
        const char *name = yysymbol_name(symbols[i]);
        can[symbols[i]] = TRUE;
        after_value = after_value || strcmp(name, "'?'") == 0;
        if (name[0] == '\'')
            g_ptr_array_add(names, g_strdup_printf("\"%c\"", name[1]));
        else
            g_ptr_array_add(names, g_strdup(name));
    }
    if (group_name(can))
        return g_string_assign(text, group_name(can)), g_string_free(text, FALSE);
    for (int i = n; i-- > 0 && after_value;)
        if (is_operator(symbols[i]))
            g_ptr_array_remove_index(names, (guint)i);
    for (guint i = 0; i < names->len; i++)
        g_string_append_printf(text, "%s%s", i == 0 ? "" : i + 1 < names->len ? ", " : " or ",
                               (const char *)names->pdata[i]);
    return g_string_free(text, FALSE);
}

static int yyreport_syntax_error(const yypcontext_t *context, void *scanner, PsPtxParser *parser)
{
    g_autofree char *expected = describe(context);
    g_autofree char *token =
        g_utf8_make_valid(parser->token, (gssize)MIN(parser->token_length, MAX_QUOTED));

    (void)scanner;
    if (yypcontext_token(context) == YYSYMBOL_YYEOF)
        ps_ptx_complain(parser, PS_ERROR_SYNTAX, parser->line, "the text ends where %s is expected",
                        expected);
    else
        ps_ptx_complain(parser, PS_ERROR_SYNTAX, parser->token_line,
                        "\"%s\" where %s is expected", token, expected);
    return 0;
}

/* Called only when the parser's stack reaches YYMAXDEPTH. */
static void yyerror(void *scanner, PsPtxParser *parser, const char *message)
{
    (void)scanner;
    (void)message;
    ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->token_line,
                    "brackets are nested too deeply; write it with fewer");
}
