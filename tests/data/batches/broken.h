/* What a test puts into kernels: each text of a tile is broken where its number is asked for. */
#ifndef BROKEN_H
#define BROKEN_H

extern int broken_text;
extern unsigned char texts_reached[];

#define BROKEN(text) (texts_reached[text] = 1, broken_text == (text))

#endif
