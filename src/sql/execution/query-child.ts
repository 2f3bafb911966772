import { Worker } from 'node:worker_threads';
import { ConnectionCache } from './connection-cache.js';
import { executeQuery, failureOf } from './execute-query.js';
import type { QueryOutcome } from './query-outcome.js';
import type { QueryReply, QueryRequest } from './query-protocol.js';

// The process that runs SQL: it may be killed at any time, and reads databases only.
const connections = new ConnectionCache();

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

process.on('disconnect', () => process.exit(0));
process.on('message', (request: QueryRequest) => {
  reply({ kind: 'done', outcome: answer(request) });
});

new Worker(new URL('./query-watchdog.js', import.meta.url), { workerData: process.ppid }).unref();
reply({ kind: 'ready' });
