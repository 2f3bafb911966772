import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attack } from '../../src/measure/attack/attack.js';
import type { AttackInput } from '../../src/measure/attack/attack-options.js';
import { prepareAttack } from '../../src/measure/attack/prepare-attack.js';
import { acceptedDecision } from '../e2e/example-data.js';
import {
  DATA,
  inputOf,
  perfectVictim,
  ScriptedVictim,
  temporaryFolder,
  writeCandidates,
} from '../measure/attack/attack-fixture.js';

const { databases } = DATA;

/** What another process has written for its queries. */
function writeScript(out: string, process: number): string {
  const folder = join(out, '.scratch', String(process));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'views.sql'), 'SELECT 1;');
  return join(folder, 'views.sql');
}

/** Questions over CSV files: their rows become a SQLite file of the run's own. */
function shopInput(): AttackInput {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'shop'));
  writeFileSync(join(folder, 'shop', 'items.csv'), 'item no,price\n1,2.5\n2,4\n3,4\n');
  const examples = join(temporaryFolder(), 'ask.csv');
  writeFileSync(examples, 'db_id,question,query\nshop,How dear is each?,SELECT price FROM items\n');
  const place = { db_id: 'shop', table: 'items', column: 'price' };
  const candidates = writeCandidates(temporaryFolder(), [
    acceptedDecision({ ...place, candidate: 'cost' }),
    acceptedDecision({ ...place, candidate: 'old price', bucket: 'ADD' }),
  ]);
  const victim = new ScriptedVictim(() => 'SELECT price FROM items');
  return inputOf(victim, { dataset: 'csv', tables: folder, examples, candidates, seeds: [0] });
}

describe('what a run needs only while it works', () => {
  it('is not touched by a second run that is refused', async () => {
    const input = inputOf(perfectVictim(), { databases });
    const script = writeScript(input.out, process.ppid);
    writeFileSync(join(input.out, '.lock'), String(process.ppid));
    await expect(attack(input)).rejects.toThrow(/is working in this folder/);
    expect(existsSync(script)).toBe(true);
  });

  it('goes with the run, and so does what a killed one has left', async () => {
    const input = inputOf(perfectVictim(), { databases });
    writeScript(input.out, 1);
    await attack(input);
    expect(existsSync(join(input.out, '.scratch'))).toBe(false);
  });

  it('may be databases: a data set without SQLite files is executed, too', async () => {
    const input = shopInput();
    const { report } = await attack(input);
    const outcomes = report.cases[0]!.perturbed.map(({ kind, execution }) => [kind, execution]);
    expect(outcomes).toEqual([
      ['RPL', 'failing'],
      ['ADD', 'correct'],
    ]);
    expect(existsSync(join(input.out, '.scratch'))).toBe(false);
  });

  it('is not named to models that look later', async () => {
    const { tables, examples, candidates, dataset, seeds, out } = shopInput();
    const input = { tables: tables!, examples: examples!, candidates, dataset: dataset!, seeds: seeds!, out };
    await prepareAttack(input);
    const text = readFileSync(join(input.out, 'inputs/questions.jsonl'), 'utf8');
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { readonly database: unknown }).database)).toEqual([
      null,
      null,
      null,
    ]);
    expect(existsSync(join(input.out, '.scratch'))).toBe(false);
  });
});
