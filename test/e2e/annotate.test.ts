import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ItemRecord } from '../../src/annotate/project/item-store.js';
import { attackReport } from '../../src/measure/attack/attack-report.js';
import type { PerturbedLine } from '../../src/formats/artifacts/provenance.js';
import { writeSmallData } from './example-data.js';
import { type CliResult, listFiles, makeTempFolder, runCli } from './run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path });

const lines = (file: string): readonly string[] => readFileSync(at(file), 'utf8').trimEnd().split('\n');

/** Names that people chose, by kind and column, which is natural or original. */
const chosen = new Map<string, readonly string[]>();

/** An exported item as if Ada had answered it: the second name of RPL lists, and the last three of ADD. */
function answered(line: string): string {
  const record = JSON.parse(line) as ItemRecord;
  const { id, kind, column, columnOriginal, candidates } = record.item;
  const names = candidates.map(({ name }) => name);
  const accepted = kind === 'RPL' ? names.slice(1, 2) : names.slice(-3);
  for (const key of new Set([`${kind} ${column}`, `${kind} ${columnOriginal}`]))
    chosen.set(key, [...(chosen.get(key) ?? []), ...accepted]);
  const answer = { state: 'done', accepted, written: [], comment: '', flagged: false };
  const saved = { itemId: id, annotator: 'Ada', revision: 1, savedAt: '2026-01-02T03:04:05.000Z' };
  return JSON.stringify({ ...record, answers: [{ ...saved, ...answer }] });
}

let data: readonly string[];

/** From a run to a project that is answered by import. */
beforeAll(async () => {
  data = writeSmallData(at('data')).options;
  const project = ['--project', 'project.db', '--format', 'jsonl'];
  const steps = [
    () => run('candidates', ...data, '--out', 'RUN'),
    () => run('annotate', 'init', '--run', 'RUN', '--out', 'project.db', '--annotator', 'Ada'),
    () => run('annotate', 'export', ...project, '--out', 'open.jsonl'),
    () => {
      const [head, ...items] = lines('open.jsonl');
      writeFileSync(at('answered.jsonl'), [head, ...items.map(answered), ''].join('\n'));
      return run('annotate', 'import', 'answered.jsonl', ...project);
    },
  ];
  for (const step of steps) {
    const { code, stderr } = await step();
    expect(code, stderr).toBe(0);
  }
});
afterAll(() => temp.remove());

describe('a project that was answered', () => {
  it('had lists of many names, and is one file', () => {
    const [, ...items] = lines('open.jsonl').map((line) => JSON.parse(line) as ItemRecord);
    const lengths = items.map(({ item }) => item.candidates.length);
    expect(Math.max(...lengths)).toBe(20);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(12);
    expect(listFiles(temp.path).filter((file) => file.startsWith('project.db'))).toEqual(['project.db']);
  });

  it('is what augment draws from', async () => {
    const { code, stdout, stderr } = await run('augment', ...data, '--candidates', 'project.db', '--out', 'A');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^24 examples: 8 original, 8 RPL, 8 ADD; 0 variants left out/m);
    const provenance = lines('A/provenance.jsonl').map((line) => JSON.parse(line) as PerturbedLine);
    expect(new Set(provenance.map(({ kind }) => kind))).toEqual(new Set(['original', 'RPL', 'ADD']));
    for (const { kind, changes } of provenance)
      for (const { column, candidate } of changes) expect(chosen.get(`${kind} ${column}`)).toContain(candidate);
  });

  it('is what attack draws from', async () => {
    const args = ['attack', ...data, '--candidates', 'project.db', '--seeds', '1', '--out', 'B'];
    const { code, stdout, stderr } = await run(...args);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^execution +\d/m);
    expect(attackReport.parse(JSON.parse(readFileSync(at('B/report.json'), 'utf8'))).scores).toHaveLength(6);
    // Opening the project changes nothing that the run was made of.
    await run('annotate', 'invite', 'Ben', '--project', 'project.db');
    expect((await run(...args)).stdout).toMatch(/^already complete, so nothing was asked;/);
  });

  it('leaves as a file of ADVETA', async () => {
    const out = ['--format', 'adveta', '--kind', 'rpl', '--out', 'rpl.json'];
    const { code, stderr } = await run('annotate', 'export', '--project', 'project.db', ...out);
    expect(code, stderr).toBe(0);
    const tables = JSON.parse(readFileSync(at('rpl.json'), 'utf8')) as Record<
      string,
      { dict: Record<string, string[]> }
    >;
    const names = Object.values(tables).flatMap(({ dict }) => Object.entries(dict));
    expect(names.length).toBeGreaterThan(10);
    for (const [column, [name]] of names) expect(chosen.get(`RPL ${column}`)).toContain(name);
  });
});
