import { spawnSync } from 'node:child_process';
import { deserialize } from 'node:v8';
import { NativeModuleError } from '../../errors.js';
import { boundedNode, childScript } from './bounded-node.js';
import type { QueryOutcome } from './query-outcome.js';
import type { QueryRequest } from './query-protocol.js';

const MEMORY_MIB = 512;
/** Milliseconds for starting the process. */
const START_MS = 30_000;

/**
 * Runs one query in a process of its own and waits for it, blocking this one: for the few places where asynchronous
 * work has no room. It costs the start of a process, about 0.1 s.
 * @throws NativeModuleError where the process can't be started
 */
export function runQueryOnce(request: QueryRequest): QueryOutcome {
  const { timeoutMs, maxBytes } = request.limits;
  // CPU time, too: nobody else ends the process where this one is killed while it waits.
  const { execPath, execArgv } = boundedNode(MEMORY_MIB, Math.ceil((timeoutMs + START_MS) / 1000));
  const { error, stdout, status, signal } = spawnSync(execPath, [...execArgv, childScript('query-once-child')], {
    input: JSON.stringify(request),
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: timeoutMs + START_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 2 * maxBytes,
  });
  const code = error !== undefined && 'code' in error ? error.code : undefined;
  // The child ends itself where its query runs over its time, and the kernel one that takes too much of the processor.
  if (code === 'ETIMEDOUT' || signal === 'SIGKILL' || signal === 'SIGXCPU') return { kind: 'timed-out' };
  if (error !== undefined) {
    throw new NativeModuleError('the process that runs SQL does not start', {
      cause: error,
      fix: 'Run `perturbql doctor`; it says what is wrong, and how to fix it.',
    });
  }
  if (status === 0) return deserialize(stdout) as QueryOutcome;
  return { kind: 'failed', at: 'process', message: 'the process that ran it died' };
}
