import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { BatchClock, overtimeLine } from './batch-clock.js';

/** Milliseconds between two looks. */
const PERIOD = 50;

const STDERR = 2;

// A thread next to the running queries: when the parent dies, nobody is left to kill the process; and in a batch nobody
// else knows when a query began.
const { parent, clock } = workerData as { readonly parent: number; readonly clock: SharedArrayBuffer };
const watched = new BatchClock(clock);
setInterval(() => {
  const overtime = watched.overtime();
  if (overtime !== null) writeSync(STDERR, overtimeLine(overtime));
  if (overtime !== null || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, PERIOD);
