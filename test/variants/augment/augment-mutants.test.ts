import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { renderCandidate } from '../../../src/formats/artifacts/candidates.js';
import { loadSpiderTables } from '../../../src/formats/spider-tables.js';
import { mutate } from '../../../src/variants/mutate/mutate.js';
import { mutantsMadeBy, mutantsOfRun } from '../../../src/variants/mutate/training-mutants.js';
import { augment, type AugmentOutcome } from '../../../src/variants/augment/augment.js';
import type { PerturbedLine } from '../../../src/formats/artifacts/provenance.js';
import { verifyRun } from '../../../src/variants/verify/verify-run.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { resolveColumns } from '../../../src/sql/resolver.js';
import { acceptedDecision, EXAMPLE_DATA, readRecords, writeSmallData } from '../../e2e/example-data.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-augment-mutants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...parts: string[]): string => join(folder, ...parts);
const linesOf = <T>(...parts: string[]): T[] =>
  readFileSync(at(...parts), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

const RELATIONS = ['PI', 'TRn', 'CSp', 'CTy', 'TSp', 'NCR'] as const;
const { tables, examples } = writeSmallData(at('data'), [0, 1, 10, 20]);
const PATHS = { dataset: 'spider', tables, examples, databases: EXAMPLE_DATA.databases, connection: null } as const;

function writeCandidates(): string {
  const country = { db_id: 'community_garden', table: 'gardener', column: 'home country' };
  writeFileSync(
    at('candidates.jsonl'),
    renderCandidate(acceptedDecision({ ...country, candidate: 'nation', bucket: 'RPL' })),
  );
  return at('candidates.jsonl');
}

describe('a training set with mutants', () => {
  let outcome: AugmentOutcome;
  let records: ReturnType<typeof readRecords>;
  let provenance: PerturbedLine[];

  beforeAll(async () => {
    const run = {
      ...PATHS,
      relations: RELATIONS,
      limit: 2,
      guard: false,
      materialize: 'copy',
      out: at('mutants'),
    } as const;
    await mutate(run);
    const mutants = await mutantsOfRun(at('mutants'));
    outcome = await augment({
      ...PATHS,
      candidates: writeCandidates(),
      mutants,
      out: at('whole'),
      exports: ['jsonl', 'chat'],
    });
    records = readRecords(at('whole', 'examples.json'));
    provenance = linesOf('whole', 'provenance.jsonl');
  }, 120_000);

  it('has them behind the variants of their example, each bound on its schema, with provenance', () => {
    const { mutants = 0 } = outcome.written;
    expect(mutants).toBeGreaterThan(20);
    expect(records).toHaveLength(provenance.length);
    const schemas = loadSpiderTables(at('whole', 'tables.json'));
    const made = provenance.filter(({ kind }) => kind === 'mutant');
    expect(made).toHaveLength(mutants);
    for (const { index, db_id: id, original_db_id: original, relations, source } of made) {
      const record = records[index]!;
      expect(record['db_id']).toBe(id);
      expect(schemas.has(original)).toBe(true);
      expect(() => resolveColumns(record['query'] as string, schemas.get(id)!)).not.toThrow();
      if (relations?.[0] === 'PI')
        expect(record['question']).not.toBe(readRecords(examples)[Number(source.slice(4))]!['question']);
    }
    expect(new Set(made.flatMap(({ relations }) => relations))).toEqual(
      new Set(RELATIONS.filter((id) => id !== 'NCR')),
    );
    expect(provenance.slice(0, 3).map(({ kind, source }) => [kind, source])).toEqual([
      ['original', 'dev:0'],
      ['RPL', 'dev:0'],
      ['mutant', 'dev:0'],
    ]);
  });

  it('executes their golds on databases of their own, changed values restored', async () => {
    expect(outcome.verification?.mutant).toMatchObject({ different: 0, failed: 0, equal: outcome.written.mutants });
    expect(await verifyRun({ run: at('whole'), databases: null }, NOOP_HOST)).toMatchObject({
      mutant: { equal: outcome.written.mutants },
    });
  });

  it('says what was left out: what nothing answers', () => {
    const report = JSON.parse(readFileSync(at('whole', 'report.json'), 'utf8')) as { skipped: { reason: string }[] };
    expect(report.skipped.map(({ reason }) => reason)).toContain('nothing answers its question');
  });

  it('is exported with a configuration of mutants, under their own ids', () => {
    const rows = linesOf<{ id: string; kind: string; schema: string }>('whole', 'jsonl', 'data', 'mutant.jsonl');
    expect(rows).toHaveLength(outcome.written.mutants!);
    expect(rows[0]).toMatchObject({ kind: 'mutant', id: expect.stringMatching(/^dev:0~/) as string });
    expect(linesOf('whole', 'chat', 'chat.jsonl')).toHaveLength(records.length);
  });

  it('runs golds of mutants that ask something else, which need not give what the original gives', async () => {
    const { examples } = writeSmallData(at('asking'), [12]);
    const relations = ['QSo', 'QNn'] as const;
    await mutate({ ...PATHS, examples, relations, limit: 1, guard: false, out: at('others') });
    const mutants = await mutantsOfRun(at('others'));
    const input = { ...PATHS, examples, candidates: at('candidates.jsonl'), mutants, out: at('asked') };
    const { written, verification } = await augment(input);
    expect(written.mutants).toBeGreaterThan(0);
    expect(verification).toMatchObject({
      mutant: { equal: 0, different: 0, failed: 0 },
      otherQueries: { run: written.mutants, differing: written.mutants },
    });
    expect(linesOf<PerturbedLine>('asked', 'provenance.jsonl')).toContainEqual(
      expect.objectContaining({ kind: 'mutant', expectation: 'other-query' }),
    );
  });

  it('is not made of mutants of other examples', async () => {
    const other = writeSmallData(at('other'), [27]);
    const mutants = await mutantsOfRun(at('mutants'));
    const input = { ...PATHS, examples: other.examples, candidates: at('candidates.jsonl'), mutants, out: at('none') };
    await expect(augment(input)).rejects.toThrow(InputFormatError);
  });

  it('leaves out mutants whose schema has no database where the others have theirs', async () => {
    await mutate({ ...PATHS, relations: ['TRn'], limit: 1, guard: false, out: at('rowless') });
    const mutants = await mutantsOfRun(at('rowless'));
    const { written } = await augment({ ...PATHS, candidates: at('candidates.jsonl'), mutants, out: at('without') });
    expect(written.mutants).toBe(0);
  });
});

describe('mutants that are made on the way', () => {
  it('are as many as there are examples, in a run of their own in the folder, and resumed with it', async () => {
    const make = async (): Promise<AugmentOutcome> => {
      const mutants = await mutantsMadeBy({ ...PATHS, relations: ['TRn', 'TSp'], guard: false, materialize: 'copy' });
      return augment({ ...PATHS, candidates: writeCandidates(), mutants, out: at('made') });
    };
    const { written, verification } = await make();
    expect(written).toEqual({ original: 4, rpl: written.rpl, rplUnchanged: 1, add: 0, mutants: 4 });
    expect(verification?.mutant).toMatchObject({ equal: 4 });
    const kinds = new Set(
      linesOf<{ relations: string[] }>('made', 'mutants', 'mutants.jsonl').flatMap((one) => one.relations),
    );
    expect(kinds).toEqual(new Set(['TRn', 'TSp']));
    expect(await make()).toMatchObject({ fresh: false, written, verification });
  });
});
