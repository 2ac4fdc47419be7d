/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a path to a validated document. Every way in which a file can be bad ends here in one error:
 * unreadable, endless, not text, not XML, with a document type declaration, against the schema.
 *
 * libxml2's messages go to handlers of the parser and validator at hand, never to its global ones,
 * so that threads may load at the same time and nothing is printed. Text is UTF-8 and checked to be
 * that beforehand: libxml2 reports broken text of other encodings to the global handler alone.
 */
#include "base/file.h"
#include "base/schema.h"
#include "base/xml.h"
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <libxml/xmlschemastypes.h>
#include <string.h>

/* Limits for the attributes of an element and for the namespace declarations of a file: libxml2
 * compares each attribute with all others, and looks through all namespaces for each name. */
#define ATTRIBUTES_MOST 200
#define NAMESPACES_MOST 100

/* The first error that libxml2 reported for a file, and where. */
typedef struct {
    char *message;
    int line;
} Complaint;

/* What the parser's callbacks share: its _private. */
typedef struct {
    Complaint complaint;
    int n_namespaces;
} Parse;

static int node_line(const xmlError *report)
{
    if (report->node && ((const xmlNode *)report->node)->type == XML_ELEMENT_NODE)
        return ps_xml_place(report->node).line;
    return report->line;
}

/* Removes libxml2's function name from the begin of a message: it says nothing to a user. */
static const char *without_function(const char *message)
{
    gsize name = strspn(message, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS);
    gsize end = name + strspn(message + name, " ");
    if (!g_str_has_prefix(message, "xml") || message[end] != ':')
        return message;
    return message + end + 1 + strspn(message + end + 1, " ");
}

static void complain(Complaint *complaint, const char *message, int line)
{
    if (complaint->message)
        return;
    message = message ? without_function(message) : "it is not well-formed";
    complaint->message = g_strchomp(g_strdup(message));
    complaint->line = line;
}

/* ---- text ---------------------------------------------------------------------------------------
 */

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* The first attribute too many of an element, or what looks like one; NULL where there is none. No
 * attribute's value can hold a "<": all attributes of an element stand before the next one. *parts:
 * elements and attributes up to there. */
static const char *find_too_many(const char *text, gsize length, gsize *parts)
{
    int attributes = 0;
    char before = 0; /* the last character that is no blank */
    *parts = 0;
    for (gsize i = 0; i < length; i++) {
        const gboolean attribute = before == '=' && (text[i] == '"' || text[i] == '\'');
        if (text[i] == '<')
            attributes = 0;
        else if (attribute && ++attributes > ATTRIBUTES_MOST)
            return text + i;
        *parts += attribute || (before == '<' && text[i] != '/');
        if (!g_ascii_isspace(text[i]))
            before = text[i];
    }
    return NULL;
}

gboolean ps_xml_fits(const char *text, gsize length)
{
    gsize parts;
    return length <= PS_FILE_MAX_BYTES && !find_too_many(text, length, &parts) &&
           parts <= PS_XML_MOST_PARTS;
}

static gboolean check_text(const char *text, gsize length, const char *name, GError **error)
{
    const char *end;
    const char *many;
    gsize parts;
    if (length == 0)
        ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){name, 0}, "the file is empty");
    else if (length > PS_FILE_MAX_BYTES)
        ps_error_at(error, PS_ERROR_LIMIT, (PsPlace){name, 0},
                    "longer than %d MiB, the most allowed", PS_FILE_MAX_BYTES / (1024 * 1024));
    else if (!g_utf8_validate(text, (gssize)length, &end))
        ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){name, line_of(text, end)},
                    "this is not UTF-8 text, which an XML file here must be");
    else if ((many = find_too_many(text, length, &parts)) != NULL)
        ps_error_at(error, PS_ERROR_LIMIT, (PsPlace){name, line_of(text, many)},
                    "an element has more than %d attributes", ATTRIBUTES_MOST);
    else if (parts > PS_XML_MOST_PARTS)
        ps_error_at(error, PS_ERROR_LIMIT, (PsPlace){name, 0},
                    "more than %d elements and attributes, the most allowed", PS_XML_MOST_PARTS);
    else
        return TRUE;
    return FALSE;
}

/* ---- parsing ------------------------------------------------------------------------------- */

static void on_parse_error(void *data, xmlErrorPtr report)
{
    xmlParserCtxt *parser = data;
    if (report->level < XML_ERR_ERROR)
        return;
    const char *message = report->message;
    if (message && strstr(message, "Excessive depth"))
        message = "elements are nested too deeply: 256 levels are the most allowed";
    complain(&((Parse *)parser->_private)->complaint, message, report->line);
}

/* Called for <!DOCTYPE before anything in it is read: entities are never even declared. */
static void on_doctype(void *data, const xmlChar *name, const xmlChar *public_id,
                       const xmlChar *system_id)
{
    (void)name;
    (void)public_id;
    (void)system_id;
    xmlParserCtxt *parser = data;
    Parse *parse = parser->_private;
    complain(&parse->complaint,
             "a document type declaration is not allowed: entities are never resolved",
             parser->input->line);
    xmlStopParser(parser);
}

/* The line in which the tag that was just read begins; the parser stands at its end, and in a tag
 * there is no other "<". */
static int line_of_tag(const xmlParserInput *input)
{
    int line = input->line;
    for (const xmlChar *at = input->cur; at > input->base && at[-1] != '<'; at--)
        line -= at[-1] == '\n';
    return line;
}

/* libxml2 keeps lines up to 65535 only (XML_PARSE_BIG_LINES: roughly); this keeps each. */
/* NOLINTNEXTLINE(readability-function-size): the parameters are libxml2's */
static void on_element(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                       int n_namespaces, const xmlChar **namespaces, int n_attributes,
                       int n_defaulted, const xmlChar **attributes)
{
    xmlParserCtxt *parser = data;
    xmlSAX2StartElementNs(parser, name, prefix, uri, n_namespaces, namespaces, n_attributes,
                          n_defaulted, attributes);
    if (parser->node)
        parser->node->_private = GINT_TO_POINTER(line_of_tag(parser->input));
    Parse *parse = parser->_private;
    parse->n_namespaces += n_namespaces;
    if (parse->n_namespaces > NAMESPACES_MOST) {
        complain(&parse->complaint, "there are more than 100 namespace declarations",
                 parser->input->line);
        xmlStopParser(parser);
    }
}

/* Any complaint rejects the document, also one that libxml2 would recover from. Comments and
 * processing instructions are not kept. */
static xmlDoc *parse_text(const char *text, gsize length, const char *name, GError **error)
{
    Parse parse = {{NULL, 0}, 0};
    xmlParserCtxt *parser = xmlNewParserCtxt();
    parser->_private = &parse;
    parser->sax->serror = on_parse_error;
    parser->sax->internalSubset = on_doctype;
    parser->sax->startElementNs = on_element;
    parser->sax->comment = NULL;
    parser->sax->processingInstruction = NULL;
    xmlDoc *doc = xmlCtxtReadMemory(parser, text, (int)length, NULL, NULL,
                                    XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_IGNORE_ENC |
                                        XML_PARSE_NOCDATA);
    if (!doc)
        complain(&parse.complaint, NULL, 0);
    xmlFreeParserCtxt(parser);
    if (!doc || parse.complaint.message) {
        ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){name, parse.complaint.line}, "%s",
                    parse.complaint.message);
        g_free(parse.complaint.message);
        xmlFreeDoc(doc);
        return NULL;
    }
    doc->URL = xmlStrdup(BAD_CAST name); /* as the user wrote it, for ps_xml_place */
    return doc;
}

/* ---- validation ---------------------------------------------------------------------------- */

/* libxml2 reports from the inside out, so the first is the most specific, but for this one. */
static void on_schema_error(void *data, xmlErrorPtr report)
{
    if (report->level >= XML_ERR_ERROR && report->code != XML_RELAXNG_ERR_INTERSEQ)
        complain(data, report->message, node_line(report));
}

static xmlRelaxNG *compile(const PsXmlSchema *schema, GError **error)
{
    Complaint complaint = {NULL, 0};
    xmlRelaxNGParserCtxt *parser =
        xmlRelaxNGNewMemParserCtxt(schema->text, (int)strlen(schema->text));
    xmlRelaxNGSetParserStructuredErrors(parser, on_schema_error, &complaint);
    xmlRelaxNG *compiled = xmlRelaxNGParse(parser);
    xmlRelaxNGFreeParserCtxt(parser);
    if (complaint.message || !compiled) {
        g_set_error(error, PS_ERROR, PS_ERROR_SYNTAX, "the built-in schema '%s' is broken: %s",
                    schema->name, complaint.message ? complaint.message : "it does not compile");
        xmlRelaxNGFree(compiled);
        compiled = NULL;
    }
    g_free(complaint.message);
    return compiled;
}

gboolean ps_xml_validate(xmlDoc *doc, const PsXmlSchema *schema, GError **error)
{
    xmlRelaxNG *compiled = compile(schema, error);
    if (!compiled)
        return FALSE;
    Complaint complaint = {NULL, 0};
    xmlRelaxNGValidCtxt *context = xmlRelaxNGNewValidCtxt(compiled);
    xmlRelaxNGSetValidStructuredErrors(context, on_schema_error, &complaint);
    gboolean valid = xmlRelaxNGValidateDoc(context, doc) == 0;
    xmlRelaxNGFreeValidCtxt(context);
    xmlRelaxNGFree(compiled);
    if (!valid && !ps_schema_explain(schema, doc, error))
        ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){(const char *)doc->URL, complaint.line}, "%s",
                    complaint.message ? complaint.message : "it does not fit the schema");
    g_free(complaint.message);
    xmlResetLastError();
    return valid;
}

/* libxml2's tables that are made on first use, made before a second thread can come. */
static void initialise(void)
{
    static gsize done = 0;
    if (g_once_init_enter(&done)) {
        xmlInitParser();
        xmlSchemaInitTypes();
        xmlRelaxNGInitTypes();
        g_once_init_leave(&done, 1);
    }
}

xmlDoc *ps_xml_parse(const char *text, gsize length, const char *name, GError **error)
{
    initialise();
    xmlDoc *doc =
        check_text(text, length, name, error) ? parse_text(text, length, name, error) : NULL;
    xmlResetLastError();
    return doc;
}

xmlDoc *ps_xml_load_memory(const char *text, gsize length, const char *name,
                           const PsXmlSchema *schema, GError **error)
{
    xmlDoc *doc = ps_xml_parse(text, length, name, error);
    if (doc && !ps_xml_validate(doc, schema, error)) {
        ps_xml_free(doc);
        doc = NULL;
    }
    return doc;
}

xmlDoc *ps_xml_load(const char *path, const PsXmlSchema *schema, GError **error)
{
    gsize length;
    g_autofree char *text = ps_file_read(path, PS_FILE_MAX_BYTES, &length, error);
    return text ? ps_xml_load_memory(text, length, path, schema, error) : NULL;
}
