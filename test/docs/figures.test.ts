import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codeBlocks, PROJECT, readPage } from './markdown-pages.js';

const FOLDER = join(PROJECT, 'docs', 'figures');
const FILES = readdirSync(FOLDER);

/** What a file of figures holds, whoever wrote it. */
const tableSchema = z.strictObject({
  title: z.string(),
  about: z.string(),
  date: z.iso.date(),
  machine: z.strictObject({ cores: z.number(), cpu: z.string(), node: z.string(), load: z.number().optional() }),
  command: z.string(),
  revision: z.string(),
  carried: z.literal(true).optional(),
  reason: z.string().optional(),
  columns: z.record(z.string(), z.strictObject({ head: z.string(), decimals: z.number().optional() })),
  rows: z.record(z.string(), z.record(z.string(), z.union([z.number(), z.string(), z.null()]))),
});

describe('the figures of the docs', () => {
  it('are those of docs/figures, as npm run docs:figures writes them', () => {
    expect(() => execFileSync('node', ['scripts/write-figures.mjs', '--check'], { cwd: PROJECT })).not.toThrow();
  });

  it.each(FILES)('%s says what was measured, when, where and by which command', (name) => {
    const table = tableSchema.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
    const cells = Object.values(table.rows).flatMap((row) => Object.keys(row));
    expect(cells.filter((key) => !(key in table.columns))).toEqual([]);
    expect(table.reason === undefined).toBe(table.carried === undefined);
  });

  it('are in a file for each bench', () => {
    const benches = readdirSync(join(PROJECT, 'bench')).flatMap(
      (name) => /^(?!run-|bench-)(\w+)\.ts$/.exec(name)?.[1] ?? [],
    );
    expect(benches.filter((bench) => !FILES.includes(`${bench}.json`))).toEqual([]);
  });

  it('of the printed attack in docs/attack.md are those of its table', () => {
    const { rows } = tableSchema.parse(JSON.parse(readFileSync(join(FOLDER, 'attack-examples.json'), 'utf8')));
    const block = codeBlocks('docs/attack.md', 'text')[0] ?? '';
    const printed = [
      ...block.matchAll(/^(\w+).*?([\d.]+)% +([\d.]+)% \(\S+ ± ([\d.]+)\) +([\d.]+)% \(\S+ ± ([\d.]+)\)/gm),
    ];
    const expected = Object.entries(rows).map(([id, { dev, rpl, rplDeviation, add, addDeviation }]) => [
      id,
      ...[dev, rpl, rplDeviation, add, addDeviation],
    ]);
    expect(printed.map(([, id, ...figures]) => [id, ...figures.map(Number)])).toEqual(expected);
  });
});

describe('README.md', () => {
  it('links to every page of docs/', () => {
    const pages = readdirSync(join(PROJECT, 'docs')).filter((name) => name.endsWith('.md'));
    expect(pages.filter((name) => !readPage('README.md').includes(`(docs/${name}`))).toEqual([]);
  });
});
