import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadSpiderDataset } from '../../src/formats/spider-dataset.js';
import { RowReader } from '../../src/variants/databases/row-reader.js';
import { writeMutantDatabases } from '../../src/variants/databases/mutant-databases.js';
import { seedCase } from '../../src/variants/relations/relation.js';
import type { MutatedSchema } from '../../src/variants/databases/mutated-schema.js';
import { type MutantVerificationRequest, verifyMutants } from '../../src/variants/verify/verify-mutants.js';
import { databasePath } from '../../src/variants/databases/write-variants.js';
import { createStageContext, NOOP_HOST } from '../../src/run/run-host.js';
import { schemaRelations } from '../variants/relations/schema/schema-fixture.js';

// `npm run check:full` sets PERTURBQL_FULL: every database. Without it, a subset.
const FULL = process.env['PERTURBQL_FULL'] === '1';
const SPIDER = '../shared/data/spider';
const SUBSET = new Set(['concert_singer', 'pets_1', 'flight_2', 'museum_visit', 'network_1']);
const HOUR = 3_600_000;

describe.skipIf(!existsSync(SPIDER))('mutants of Spider dev (skipped where ../shared/data is absent)', () => {
  it(
    'have golds that give on their databases what the seeds’ golds give',
    async () => {
      const dataset = loadSpiderDataset({
        dataset: 'spider',
        tables: join(SPIDER, 'tables.json'),
        examples: join(SPIDER, 'dev.json'),
        databases: join(SPIDER, 'database'),
        connection: null,
      });
      const out = mkdtempSync(join(tmpdir(), 'perturbql-full-mutants-'));
      onTestFinished(() => rmSync(out, { recursive: true, force: true }));
      const examples = [...dataset.examples()].filter(({ dbId }) => FULL || SUBSET.has(dbId));
      const cases = examples.map((example) => seedCase(example, dataset.databases.get(example.dbId)!));
      const schemas = new Map<string, MutatedSchema>();
      const records: MutantVerificationRequest['records'][number][] = [];
      for (const relation of schemaRelations(new RowReader(dataset))) {
        const results = await relation.mutate(cases, 10, createStageContext(0, NOOP_HOST));
        results.forEach((result, i) => {
          const { id: seed, dbId: origin } = examples[i]!;
          for (const [k, { query, mutated }] of 'reason' in result ? [] : result.entries()) {
            schemas.set(mutated!.schema.id, mutated!);
            const id = `${seed}~${relation.id}.${k}`;
            records.push({ id, seed, relations: [relation.id], db_id: mutated!.schema.id, origin, query });
          }
        });
      }
      const origins = [...new Set(examples.map(({ dbId }) => dbId))];
      const unwritten = writeMutantDatabases({ dataset, origins, schemas: [...schemas.values()], out }, NOOP_HOST);
      const golds = new Map(examples.map(({ id, query }) => [id, query]));
      const found = await verifyMutants(
        {
          records,
          goldOf: (seed) => golds.get(seed)!,
          schemaOf: (id) => ({
            database: schemas.get(id)?.schema ?? dataset.databases.get(id)!,
            file: databasePath(out, id),
          }),
        },
        NOOP_HOST,
      );
      const counts = Object.entries(found.relations).map(([id, { equal }]) => `${id} ${equal}`);
      process.stdout.write(`mutants with the result of their seeds: ${counts.join(', ')}\n`);
      expect(unwritten).toEqual([]);
      expect(found.items).toEqual([]);
      expect(counts).toHaveLength(8);
    },
    HOUR,
  );
});
