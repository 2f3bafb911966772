import { expect, test } from 'vitest';
import { runAnnotateBench } from '../../bench/annotate/run-annotate-bench.js';
import { ConfigError } from '../../src/errors.js';

test('every action of the page is timed, on a small project too', async () => {
  const lines: string[] = [];
  const output = { print: (line: string) => void lines.push(line), tell: () => undefined, record: () => undefined };
  await runAnnotateBench(['--items', '80', '--rounds', '3'], output);
  expect(lines[0]).toMatch(/^80 items, 3 rounds/);
  expect(lines.slice(1, -1)).toHaveLength(9);
  for (const line of lines.slice(1, -1)) expect(line).toMatch(/^[a-z, ]+( +\d+\.\d){3}/);
  expect(lines.at(-1)).toMatch(/^agreement of all answers.*\d s$/);
});

test('says which option is wrong', async () => {
  const output = { print: () => undefined, tell: () => undefined, record: () => undefined };
  await expect(runAnnotateBench(['--items', 'many'], output)).rejects.toBeInstanceOf(ConfigError);
});
