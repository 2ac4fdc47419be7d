/* SPDX-License-Identifier: BSD-3-Clause */
/* The same for each of ILP chains, which are 1, 2, 4 or 8. */
#if ILP == 1
#define EACH(what) what(0)
#define ALL(what) what(0)
#elif ILP == 2
#define EACH(what) what(0) what(1)
#define ALL(what) what(0) & what(1)
#elif ILP == 4
#define EACH(what) what(0) what(1) what(2) what(3)
#define ALL(what) what(0) & what(1) & what(2) & what(3)
#else
#define EACH(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7)
#define ALL(what) what(0) & what(1) & what(2) & what(3) & what(4) & what(5) & what(6) & what(7)
#endif
