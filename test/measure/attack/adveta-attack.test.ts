import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attack } from '../../../src/measure/attack/attack.js';
import type { AttackInput } from '../../../src/measure/attack/attack-options.js';
import type { AttackReport } from '../../../src/measure/attack/attack-report.js';
import { InputFormatError } from '../../../src/errors.js';
import type { DatasetPaths } from '../../../src/formats/dataset.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { writeFileSync } from 'node:fs';
import { rejectionOf } from '../../error-of.js';
import {
  writeSqualls,
  writeWikiSql,
  writeWikiSqlRelease,
  writeWtqRelease,
} from '../../variants/candidates/adveta-fixture.js';
import { temporaryFolder } from './attack-fixture.js';

function inputOf(folder: string, paths: DatasetPaths, candidates: string, train: string | null = null): AttackInput {
  return { ...paths, candidates, victim: { kind: 'baseline', train }, seeds: [0, 1], out: join(folder, 'run') };
}

/** Exact match by condition. */
function exactOf({ scores }: AttackReport): Record<string, number> {
  const exact = scores.filter(({ metric }) => metric === 'exact');
  return Object.fromEntries(exact.map(({ condition, accuracy }) => [condition, accuracy]));
}

/** Candidates that were drawn, by the column that they are for. */
function drawnIn({ cases }: AttackReport): ReadonlySet<string> {
  const changes = cases.flatMap(({ perturbed }) => perturbed).flatMap((one) => one.changes);
  return new Set(changes.map(({ column, candidate }) => `${column} > ${candidate}`));
}

describe('the built-in parser on tables that ADVETA’s annotators perturbed', () => {
  it('is attacked on WikiSQL’s, found by their ids', async () => {
    const folder = temporaryFolder();
    const notes: string[] = [];
    const host = { ...NOOP_HOST, note: (line: string) => void notes.push(line) };
    const input = inputOf(folder, writeWikiSql(folder), writeWikiSqlRelease(join(folder, 'adveta')));
    const { report } = await attack(input, host);
    const { original, RPL } = exactOf(report);
    expect(original).toBeGreaterThan(0.5);
    expect(RPL).toBeLessThan(original!);
    expect(drawnIn(report)).toContain('inn > hostelry');
    expect(notes[0]).toMatch(/^people’s candidates: 3 tables found by id, 1 not in this data set, /);
  });

  it('is attacked on SQUALL’s, with lists for WikiTableQuestions', async () => {
    const folder = temporaryFolder();
    const input = inputOf(folder, writeSqualls(folder), writeWtqRelease(join(folder, 'adveta')));
    const { report } = await attack(input);
    const { original, RPL } = exactOf(report);
    expect(original).toBeGreaterThan(0.5);
    expect(RPL).toBeLessThan(original!);
    expect(drawnIn(report)).toContain('name of the inn > tavern');
  });
});

describe('a data set without SQL', () => {
  it.each([
    ['attacked', null],
    ['given to learn from', 'squall-test.json'],
  ])('is refused where it is %s, with the reason', async (_, train) => {
    const folder = temporaryFolder();
    writeSqualls(folder, false);
    const paths = train === null ? writeSqualls(folder, false) : writeSqualls(folder);
    const input = inputOf(
      folder,
      paths,
      writeWtqRelease(join(folder, 'adveta')),
      train === null ? null : join(folder, train),
    );
    const error = await rejectionOf(InputFormatError, () => attack(input));
    expect(error.message).toBe('none of the 5 examples can be used as squall: it has no SQL');
    expect(error.fix).toMatch(/^Name questions with gold SQL/);
  });

  it('is refused as WikiTableQuestions’ own file', async () => {
    const folder = temporaryFolder();
    const examples = join(folder, 'training.tsv');
    writeFileSync(examples, 'id\tutterance\tcontext\ttargetValue\nnt-0\twhat?\tcsv/204-csv/590.csv\t1995\n');
    const paths = { ...writeSqualls(folder), examples };
    const error = await rejectionOf(InputFormatError, () =>
      attack(inputOf(folder, paths, writeWtqRelease(join(folder, 'adveta')))),
    );
    expect(error.where.file).toBe(examples);
    expect(error.message).toMatch(/has answers and no SQL$/);
    expect(error.fix).toMatch(/^Name SQUALL’s questions/);
  });
});

describe('lists of another data set', () => {
  it('are refused with what was missing', async () => {
    const folder = temporaryFolder();
    const candidates = writeWtqRelease(join(folder, 'adveta'));
    const input = inputOf(folder, writeWikiSql(folder), `${candidates}/wtq-rpl-candidates.json`);
    const error = await rejectionOf(InputFormatError, () => attack(input));
    expect(error.message).toBe('no candidate is about a column of this data set');
    expect((error.cause as Error).message).toMatch(/0 tables found by id, 1 not in this data set/);
  });
});
