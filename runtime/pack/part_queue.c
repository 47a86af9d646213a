/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * part_queue.c - see part_queue.h. */
#include "pack/part_queue.h"

void part_queue_begin(part_queue *queue, size_t workers) {
  workers_begin(&queue->workers, workers);
  pthread_mutex_init(&queue->lock, NULL);
}

void part_queue_end(part_queue *queue) {
  workers_end(&queue->workers);
  pthread_mutex_destroy(&queue->lock);
}

static pack_slot *slot_of(const part_queue *queue, size_t part) {
  return &queue->slots[part % queue->slot_count];
}

/* Hands over a part whose turn it is. Of parts from the first on that failed nothing is written,
 * but their pieces are counted: who waits for their slots would wait for ever. */
static void put_part(part_queue *queue, const pack_slot *slot) {
  const pack_slot *like = queue->like;
  size_t bytes = 0;
  if (queue->put < queue->failed) {
    bytes = slot->count / FFN_PANEL * like->stage->branches * like->cut->panel;
    for (size_t b = 0; b < like->stage->branches; ++b) {
      queue->error[b].errors += slot->error[b].errors;
      queue->error[b].numbers += slot->error[b].numbers;
    }
  }
  pipe_add(queue->pipe, queue->at, slot->memory + sizeof(ffn_packed_header), bytes);
  queue->at += bytes;
}

/* A part is packed, or not, as one in front of it failed: those are put whose turn it is. */
static void finish(part_queue *queue, size_t part) {
  pack_slot *slot = slot_of(queue, part);
  pthread_mutex_lock(&queue->lock);
  if (!slot->works && part < queue->failed) {
    queue->failed = part;
    queue->problem = slot->problem;
  }
  slot->packed = 1;
  for (; queue->put < queue->taken && (slot = slot_of(queue, queue->put))->packed; ++queue->put) {
    slot->packed = 0;
    put_part(queue, slot);
  }
  pthread_mutex_unlock(&queue->lock);
}

/* The slot of a part, filled with what the part is; its memory stays where it is. */
static pack_slot *begin(part_queue *queue, size_t part, size_t worker) {
  pack_slot *slot = slot_of(queue, part);
  char *const memory = slot->memory;
  const size_t all = ffn_round_up(queue->like->stage->outputs, FFN_PANEL);
  pthread_mutex_lock(&queue->lock);
  *slot = *queue->like;
  pthread_mutex_unlock(&queue->lock);
  slot->memory = memory;
  slot->tile = queue->tiles + worker * queue->tile;
  slot->column = part * slot->cut->columns;
  slot->count = ffn_min(slot->cut->columns, all - slot->column);
  return slot;
}

static void take_parts(void *job, size_t worker) {
  part_queue *queue = (part_queue *)job;
  for (;;) {
    pthread_mutex_lock(&queue->lock);
    const size_t part = queue->taken;
    const int is_one = part<queue->count, fails_before = part> queue->failed;
    queue->taken += (size_t)is_one;
    pthread_mutex_unlock(&queue->lock);
    if (!is_one)
      return;
    const int writes = pipe_wait_for(
        queue->pipe, queue->first + (part < queue->slot_count ? 0 : part - queue->slot_count + 1));
    pack_slot *slot = begin(queue, part, worker);
    slot->works = fails_before || !writes || pack_part(slot);
    finish(queue, part);
  }
}

int part_queue_run(part_queue *queue, const pack_slot *like, uint64_t *at, ffn_pack_error *error,
    pack_problem *problem) {
  const size_t all = ffn_round_up(like->stage->outputs, FFN_PANEL);
  if (!pipe_wait(queue->pipe, problem))
    return 0;
  queue->like = like;
  queue->count = (all + like->cut->columns - 1) / like->cut->columns;
  queue->taken = queue->put = 0;
  queue->failed = queue->count;
  queue->first = queue->pipe->put;
  queue->at = *at;
  queue->error = error;
  if (queue->count > 1)
    workers_run(&queue->workers, take_parts, queue);
  else
    take_parts(queue, 0);
  *at = queue->at;
  if (!pipe_wait(queue->pipe, problem))
    return 0;
  if (queue->failed < queue->count)
    *problem = queue->problem;
  return queue->failed == queue->count;
}
