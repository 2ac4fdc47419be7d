/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb validate, of a recording that has measured times (profile --record). */
#ifndef PIPESIM_CLI_VALIDATE_RECORDING_H
#define PIPESIM_CLI_VALIDATE_RECORDING_H

#include "cli/options.h"

/* TRUE if the first file is a recording. */
gboolean validate_is_recording(const Options *options);

/* Puts predicted times beside the measured ones: the exit status. */
int validate_recording(const Options *options);

#endif
