import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { boundedNode } from '../../../src/sql/execution/bounded-node.js';

/** A program with a thread next to it, as those that run queries have one, that fills so many MiB. */
const program = (mebibytes: number): string => `
  new (require('node:worker_threads').Worker)('', { eval: true }).on('exit', () => {
    Array.from({ length: ${mebibytes} }, () => Buffer.alloc(1 << 20, 1));
    console.log('done');
  });`;

function run(mebibytes: number): string {
  const { execPath, execArgv } = boundedNode(256);
  return spawnSync(execPath, [...execArgv, '-e', program(mebibytes)], { encoding: 'utf8' }).stdout;
}

describe('a Node with bounds', () => {
  it('has the memory it is given, whatever this version of Node reserves for itself', () => {
    expect(run(120)).toBe('done\n');
  });

  it.runIf(process.platform === 'linux')('has not much more', () => {
    expect(run(1600)).toBe('');
  });
});
