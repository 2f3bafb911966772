import { workerData } from 'node:worker_threads';

/** Milliseconds between two looks. */
const PERIOD = 250;

// A thread beside a running query: when the parent dies, nobody is left to kill the query's process.
const parent = workerData as number;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, PERIOD);
