import type { Denotation } from '../../../src/testsuite/denotation/denotation-runner.js';

/** Whether two queries mean the same on a database, by their hashes: only results can be equal. */
export function sameDenotation(a: Denotation, b: Denotation): boolean {
  return a.kind === 'rows' && b.kind === 'rows' && a.hash === b.hash;
}
