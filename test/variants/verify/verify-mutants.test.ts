import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeMutantDatabases } from '../../../src/variants/databases/mutant-databases.js';
import type { MutatedSchema } from '../../../src/variants/databases/mutated-schema.js';
import {
  areMutantsVerified,
  type MutantVerificationRequest,
  verifyMutants,
} from '../../../src/variants/verify/verify-mutants.js';
import { databasePath } from '../../../src/variants/databases/write-variants.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { EXAMPLES, exampleCases, relationContext } from '../relations/cases.js';
import { schemaRelations } from '../relations/schema/schema-fixture.js';

/** Every relation over the example data set, with its databases written. */
async function writtenMutants(limit: number): Promise<MutantVerificationRequest> {
  const out = mkdtempSync(join(tmpdir(), 'perturbql-verify-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const cases = exampleCases();
  const schemas = new Map<string, MutatedSchema>();
  const records: MutantVerificationRequest['records'][number][] = [];
  for (const relation of schemaRelations()) {
    (await relation.mutate(cases, limit, relationContext())).forEach((result, i) => {
      const { id: seed, dbId: origin } = cases[i]!.example;
      for (const [k, { query, mutated }] of 'reason' in result ? [] : result.entries()) {
        schemas.set(mutated!.schema.id, mutated!);
        const id = `${seed}~${relation.id}.${k}`;
        records.push({ id, seed, relations: [relation.id], db_id: mutated!.schema.id, origin, query });
      }
    });
  }
  const origins = [...EXAMPLES.databases.keys()];
  const unwritten = writeMutantDatabases(
    { dataset: EXAMPLES, origins, schemas: [...schemas.values()], out },
    NOOP_HOST,
  );
  expect(unwritten).toEqual([]);
  const golds = new Map(cases.map(({ example }) => [example.id, example.query]));
  return {
    records,
    goldOf: (seed) => golds.get(seed)!,
    schemaOf: (id) => ({
      database: schemas.get(id)?.schema ?? EXAMPLES.databases.get(id)!,
      file: databasePath(out, id),
    }),
    jobs: 1,
  };
}

describe('verifyMutants', () => {
  it('finds the seeds’ results on every mutant of the example data set, and what is not so', async () => {
    const request = await writtenMutants(1);
    const found = await verifyMutants(request, NOOP_HOST);
    expect(found.items).toEqual([]);
    expect(areMutantsVerified(found)).toBe(true);
    expect(Object.keys(found.relations)).toEqual(['NO', 'FL', 'OK', 'TS', 'CS', 'CRm', 'CRn', 'CI']);
    expect(found.nonEmpty).toBeGreaterThan(0.9);

    const [first] = request.records;
    const broken = { ...first!, query: `${String(first!.query).replace(/;\s*$/, '')} LIMIT 0` };
    const worse = await verifyMutants({ ...request, records: [broken] }, NOOP_HOST);
    expect(worse.items).toEqual([{ id: first!.id, verdict: 'different', detail: expect.any(String) as string }]);
    expect(areMutantsVerified(worse)).toBe(false);
  }, 120_000);
});
