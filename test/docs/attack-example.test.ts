import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeTempFolder, PROJECT, runCli } from '../e2e/run-cli.js';
import { codeBlocks } from './markdown-pages.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

/** int8 scores differ slightly between kinds of CPU, so that a candidate near a threshold may be another's. */
const POINTS = 2;

/** The first figures of each line of a table of scores: on the original tables, under RPL and under ADD. */
function figuresIn(text: string): Readonly<Record<string, readonly number[]>> {
  const lines = text.matchAll(/^(exact match|execution|column F1) +([\d.]+)% +([\d.]+)% \(.*?\) +([\d.]+)% \(/gm);
  return Object.fromEntries([...lines].map(([, metric, ...figures]) => [metric!, figures.map(Number)]));
}

it('the first commands of docs/attack.md print what stands there', async () => {
  const commands = codeBlocks('docs/attack.md', 'sh')[0]!.replaceAll('\\\n', ' ').trim().split('\n');
  let printed = '';
  for (const command of commands) {
    const [, ...args] = command.trim().split(/\s+/);
    const paths = args.map((arg) => (arg.startsWith('examples/') ? join(PROJECT, arg) : arg));
    const { code, stdout, stderr } = await runCli(paths, { cwd: temp.path });
    expect(code, stderr).toBe(0);
    printed = stdout;
  }
  const [found, written] = [figuresIn(printed), figuresIn(codeBlocks('docs/attack.md', 'text')[0]!)];
  expect(Object.keys(written)).toEqual(['exact match', 'execution', 'column F1']);
  expect(Object.keys(found)).toEqual(Object.keys(written));
  for (const [metric, figures] of Object.entries(written))
    for (const [i, figure] of figures.entries())
      expect(Math.abs(found[metric]![i]! - figure), `${metric}: ${found[metric]!.join(', ')}`).toBeLessThan(POINTS);
}, 240_000);
