/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Debian's static libxml2 asks of ICU, whose data of 30 MB the wheel leaves out: converters of
 * encodings that libxml2 does not know itself. There are none, so a file in such an encoding is
 * refused with libxml2's own message; UTF-8, UTF-16, ISO-8859-1 and ASCII need no ICU.
 */
#include <unicode/ucnv.h>

UConverter *ucnv_open(const char *name, UErrorCode *error)
{
    (void)name;
    *error = U_FILE_ACCESS_ERROR;
    return NULL;
}

void ucnv_close(UConverter *converter)
{
    (void)converter;
}

void ucnv_setFromUCallBack(UConverter *converter, UConverterFromUCallback action,
                           const void *context, UConverterFromUCallback *old_action,
                           const void **old_context, UErrorCode *error)
{
    (void)converter, (void)action, (void)context, (void)old_action, (void)old_context;
    *error = U_FILE_ACCESS_ERROR;
}

void ucnv_setToUCallBack(UConverter *converter, UConverterToUCallback action, const void *context,
                         UConverterToUCallback *old_action, const void **old_context,
                         UErrorCode *error)
{
    (void)converter, (void)action, (void)context, (void)old_action, (void)old_context;
    *error = U_FILE_ACCESS_ERROR;
}

void UCNV_FROM_U_CALLBACK_STOP(const void *context, UConverterFromUnicodeArgs *arguments,
                               const UChar *units, int32_t length, UChar32 point,
                               UConverterCallbackReason reason, UErrorCode *error)
{
    (void)context, (void)arguments, (void)units, (void)length, (void)point, (void)reason;
    (void)error;
}

void UCNV_TO_U_CALLBACK_STOP(const void *context, UConverterToUnicodeArgs *arguments,
                             const char *units, int32_t length, UConverterCallbackReason reason,
                             UErrorCode *error)
{
    (void)context, (void)arguments, (void)units, (void)length, (void)reason, (void)error;
}

void ucnv_convertEx(UConverter *to, UConverter *from, char **target, const char *target_end,
                    const char **source, const char *source_end, UChar *pivot_start,
                    UChar **pivot_source, UChar **pivot_target, const UChar *pivot_end,
                    UBool reset, UBool flush, UErrorCode *error)
{
    (void)to, (void)from, (void)target, (void)target_end, (void)source, (void)source_end;
    (void)pivot_start, (void)pivot_source, (void)pivot_target, (void)pivot_end, (void)reset;
    (void)flush;
    *error = U_FILE_ACCESS_ERROR;
}
