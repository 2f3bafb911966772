import { parseArgs } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runBench } from '../../bench/run-bench.js';

test('an option that a bench does not take is named with a fix, and ends it with 2', async () => {
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  onTestFinished(() => {
    write.mockRestore();
    process.exitCode = undefined;
  });
  await runBench(() => {
    parseArgs({ args: ['--nope'], options: {} });
  });
  expect(process.exitCode).toBe(2);
  expect(written.join('')).toMatch(/--nope.*\n.*fix: /u);
});

test('a fault of the bench itself stays one', async () => {
  const broken = (): never => {
    throw new TypeError('a fault');
  };
  await expect(runBench(broken)).rejects.toThrow('a fault');
});
