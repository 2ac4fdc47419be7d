/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The grammar of expressions. It is pure: no global state. Every reduction appends one node to the
 * expression, so operands always stand before what uses them.
 */
%code requires {
#include "idg/expr-internal.h"
}

%code {
/* Brackets, signs and powers that can be open at once, about. Longer sums and products need none. */
#define YYMAXDEPTH 500

int ps_expr_yylex(PS_EXPR_YYSTYPE *value, void *scanner);
static void yyerror(void *scanner, PsExprParser *parser, const char *message);
}

%define api.pure full
%define api.prefix {ps_expr_yy}
%define parse.error custom
%define parse.lac full
%param {void *scanner}
%parse-param {PsExprParser *parser}

%union {
    PsRational number;
    char *name;
    PsExprOp op;
    guint node;
    struct {
        PsExprOp op;
        guint node;
    } choice;
}

%token <number> NUMBER
%token <name> NAME
%token <op> FUNCTION CHOICE
%token COMMA CLOSE INVALID
%type <node> expr
%type <choice> choice
%destructor { g_free($$); } <name>

%left '+' '-'
%left '*' '/' '%'
%precedence SIGN
%right '^'

%%

all: expr { (void)$1; };

expr: NUMBER                { $$ = ps_expr_add_number(parser, $1); }
    | NAME                  { $$ = ps_expr_add_name(parser, $1); }
    | '(' expr CLOSE        { $$ = $2; }
    | '-' expr %prec SIGN   { $$ = ps_expr_add(parser, PS_EXPR_NEGATE, $2, 0); }
    | expr '+' expr         { $$ = ps_expr_add(parser, PS_EXPR_ADD, $1, $3); }
    | expr '-' expr         { $$ = ps_expr_add(parser, PS_EXPR_SUBTRACT, $1, $3); }
    | expr '*' expr         { $$ = ps_expr_add(parser, PS_EXPR_MULTIPLY, $1, $3); }
    | expr '/' expr         { $$ = ps_expr_add(parser, PS_EXPR_DIVIDE, $1, $3); }
    | expr '%' expr         { $$ = ps_expr_add(parser, PS_EXPR_MODULO, $1, $3); }
    | expr '^' expr         { $$ = ps_expr_add(parser, PS_EXPR_POWER, $1, $3); }
    | FUNCTION '(' expr CLOSE { $$ = ps_expr_add(parser, $1, $3, 0); }
    | choice CLOSE          { $$ = $1.node; }
    ;

/* min or max of at least two values, so far. */
choice: CHOICE '(' expr COMMA expr {
            $$.op = $1;
            $$.node = ps_expr_add(parser, $1, $3, $5);
        }
      | choice COMMA expr {
            $$.op = $1.op;
            $$.node = ps_expr_add(parser, $1.op, $1.node, $3);
        }
      ;

%%

/* What could stand at the error, in words. */
static const char *expected(const yypcontext_t *context)
{
    yysymbol_kind_t symbols[YYNTOKENS];
    int n = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
    gboolean comma = FALSE, bracket = FALSE;

    for (int i = 0; i < n; i++) {
        if (symbols[i] == YYSYMBOL_NUMBER)
            return "a value";
        comma = comma || symbols[i] == YYSYMBOL_COMMA;
        bracket = bracket || symbols[i] == YYSYMBOL_CLOSE;
    }
    if (comma)
        return bracket ? "an operator, \",\" or \")\"" : "an operator or \",\"";
    return bracket ? "an operator or \")\"" : "an operator";
}

static int yyreport_syntax_error(const yypcontext_t *context, void *scanner, PsExprParser *parser)
{
    (void)scanner;
    if (yypcontext_token(context) == YYSYMBOL_YYEOF) {
        ps_expr_complain(parser, "ends where %s is expected", expected(context));
        return 0;
    }
    ps_expr_complain(parser, "\"%.*s\" at character %" G_GSIZE_FORMAT " where %s is expected",
                     (int)(parser->end - parser->at), parser->expr->text + parser->at,
                     parser->at + 1, expected(context));
    return 0;
}

/* Called only when the parser's stack reaches YYMAXDEPTH. */
static void yyerror(void *scanner, PsExprParser *parser, const char *message)
{
    (void)scanner;
    (void)message;
    ps_expr_complain(parser, "is nested too deeply; write it with fewer brackets");
}
