#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runPerturbql } from './run-perturbql.js';

// V8 lets the heap grow to four times what is alive. With half as much again memory hardly grows with the set, at some 3 %
// more CPU (docs/shards.md).
setFlagsFromString('--heap-growing-percent=50');

// A reader that has seen enough (`--help | head -1`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Not process.exit: it would cut off SQLite's last write and unflushed output. Nothing else sets an exit code.
process.exitCode = await runPerturbql(process.argv.slice(2));
