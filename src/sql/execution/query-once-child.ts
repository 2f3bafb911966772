import { readFileSync, writeSync } from 'node:fs';
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { executeQuery, failureOf } from './execute-query.js';
import { openUntouched } from './open-untouched.js';
import type { QueryOutcome } from './query-outcome.js';
import type { QueryRequest } from './query-protocol.js';

const [STDIN, STDOUT] = [0, 1];

function answer({ task, limits }: QueryRequest): QueryOutcome {
  if (task.file === null) return { kind: 'failed', at: 'database', message: 'a file is needed' };
  try {
    const sqlite = openUntouched(task.file);
    sqlite.pragma('temp_store = MEMORY');
    sqlite.pragma('query_only = ON');
    return executeQuery(sqlite, task.sql, limits);
  } catch (error) {
    return failureOf(error, 'database');
  }
}

function send(outcome: QueryOutcome): void {
  const bytes = serialize(outcome);
  for (let written = 0; written < bytes.length;) written += writeSync(STDOUT, bytes, written);
}

const request = JSON.parse(readFileSync(STDIN, 'utf8')) as QueryRequest;
// A thread of its own ends a query that runs too long: nothing can within the thread that runs it.
const late = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${request.limits.timeoutMs})`;
new Worker(late, { eval: true }).unref();
send(answer(request));
