/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * unfinished.c - see unfinished.h. */
#define _POSIX_C_SOURCE 200809L
#include "pack/unfinished.h"
#include "pack/problem.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Signals read it: it changes where none comes. */
static struct {
  int folder;
  char name[unfinished_bytes]; /* "": there is none */
} unfinished;

static sigset_t before;

void unfinished_lock(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
}

void unfinished_unlock(void) { pthread_sigmask(SIG_SETMASK, &before, NULL); }

void unfinished_is(int folder, const char *name) {
  unfinished.folder = folder;
  memcpy(unfinished.name, name, strlen(name) + 1); /* they are short */
}

void unfinished_none(void) { unfinished.name[0] = 0; }

const char *unfinished_name(void) { return unfinished.name; }

void unfinished_remove(void) {
  if (unfinished.name[0])
    unlinkat(unfinished.folder, unfinished.name, 0);
  unfinished_none();
}

/* A source was cut short while it was read. */
static void cut_short(int signal_number) {
  static const char text[] = "ffn-pack: a file became shorter while ffn-pack read it\n";
  (void)signal_number;
  unfinished_remove();
  const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  (void)written;
  _exit(code_bad_input);
}

/* Ends the program as the signal does, without a half-written file. */
static void interrupted(int signal_number) {
  unfinished_remove();
  signal(signal_number, SIG_DFL);
  raise(signal_number); /* comes when this returns */
}

static void take(int signal_number, void (*handler)(int)) {
  struct sigaction action, there;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigfillset(&action.sa_mask);
  /* What a caller has it ignore (nohup) stays ignored. */
  if (sigaction(signal_number, NULL, &there) == 0 && there.sa_handler != SIG_IGN)
    sigaction(signal_number, &action, NULL);
}

void unfinished_listen(void) {
  static const int all[] = {
      SIGHUP,
      SIGINT,
      SIGQUIT,
      SIGTERM,
      SIGALRM,
      SIGUSR1,
      SIGUSR2,
#ifdef SIGXCPU
      SIGXCPU,
#endif
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    take(all[i], interrupted);
  take(SIGBUS, cut_short);
  take(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
  take(SIGXFSZ, SIG_IGN);
#endif
}
