/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * unfinished.h - the one file that has a name and is not whole: it goes however the program ends,
 * but by what no program can catch. */
#ifndef FFN_PACK_UNFINISHED_H
#define FFN_PACK_UNFINISHED_H

enum { unfinished_bytes = 48 }; /* of a name, at most */

/* Has signals remove it. Those that tell of a pipe without a reader and of a file that is too large
 * become errors of what writes. */
void unfinished_listen(void);

/* No signal comes between these two. One thread alone calls them. */
void unfinished_lock(void);
void unfinished_unlock(void);

/* Which one it is, in a folder that stays open; that there is none; its name, "" where there is
 * none. */
void unfinished_is(int folder, const char *name);
void unfinished_none(void);
const char *unfinished_name(void);

/* Removes it. */
void unfinished_remove(void);

#endif
