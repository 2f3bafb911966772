import { Worker } from 'node:worker_threads';
import { BatchClock } from './batch-clock.js';
import { BatchWork, ReferenceCache } from './batch-work.js';
import { ConnectionCache } from './connection-cache.js';
import { executeQuery, failureOf } from './execute-query.js';
import type { BatchRequest, Comparison, QueryReply, QueryRequest } from './query-protocol.js';
import type { QueryOutcome } from './query-outcome.js';

// The process that runs SQL: it may be killed at any time, and reads databases only.
const connections = new ConnectionCache();
const references = new ReferenceCache();
const clock = new BatchClock();
/** Tasks of all batches so far. */
let tasks = 0;

function reply(message: QueryReply): void {
  process.send?.(message);
}

function answer({ task, limits }: QueryRequest): QueryOutcome {
  let isOpening = false;
  try {
    const sqlite = connections.connect(task, () => {
      isOpening = true;
      reply({ kind: 'opening' });
    });
    if (isOpening) reply({ kind: 'running' });
    return executeQuery(sqlite, task.sql, limits);
  } catch (error) {
    return failureOf(error, 'database');
  }
}

function workThrough({ batch, announces }: BatchRequest): void {
  const replies = {
    send: (results: readonly Comparison[]): void => reply({ kind: 'compared', results }),
    announce: announces
      ? (place: number, referenceRows: number): void => reply({ kind: 'at', place, referenceRows })
      : null,
  };
  const work = new BatchWork(batch, tasks, replies, { connections, references, clock });
  tasks += batch.tasks.length;
  work.run();
}

process.on('disconnect', () => process.exit(0));
process.on('message', (request: QueryRequest | BatchRequest) => {
  if ('batch' in request) workThrough(request);
  else reply({ kind: 'done', outcome: answer(request) });
});

const workerData = { parent: process.ppid, clock: clock.memory };
new Worker(new URL('./query-watchdog.js', import.meta.url), { workerData }).unref();
reply({ kind: 'ready' });
