import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NOOP_HOST } from '../../../../src/run/run-host.js';
import { writeMutantDatabases } from '../../../../src/variants/databases/mutant-databases.js';
import { databasePath } from '../../../../src/variants/databases/write-variants.js';
import type { PerturbationKind } from '../../../../src/variants/relations/names/candidate-pool.js';
import { nameRelation } from '../../../../src/variants/relations/names/name-relation.js';
import {
  mutantCase,
  type Mutation,
  type MutationCase,
  type NotApplicable,
} from '../../../../src/variants/relations/relation.js';
import { columnRemoval } from '../../../../src/variants/relations/evolution/removal.js';
import { verifyMutants } from '../../../../src/variants/verify/verify-mutants.js';
import { acceptedDecision } from '../../../e2e/example-data.js';
import { caseOf, EXAMPLES, mutateOne } from '../cases.js';

const QUERY = 'SELECT home_country , count(*) FROM gardener WHERE birth_year > 1980 GROUP BY home_country';
const GARDENERS = caseOf('How many gardeners were born after 1980, by country?', QUERY);

function relationOf(kind: PerturbationKind): ReturnType<typeof nameRelation> {
  const named = { db_id: 'community_garden', table: 'gardener', bucket: kind } as const;
  const decisions = ['native land', 'country of origin'].map((candidate) =>
    acceptedDecision({ ...named, column: 'home country', candidate }),
  );
  const year = acceptedDecision({ ...named, column: 'birth year', candidate: 'year of birth' });
  return nameRelation(
    kind,
    { fingerprint: 'own', columnCount: () => 0, of: () => Promise.resolve([...decisions, year]) },
    EXAMPLES.dialect,
  );
}

const made = (result: readonly Mutation[] | NotApplicable): readonly Mutation[] => ('reason' in result ? [] : result);

describe.each(['RPL', 'ADD'] as const)('%s as a relation', (kind) => {
  it('changes all mentioned columns that have candidates, by other names in each mutant', async () => {
    const mutations = made(await mutateOne(relationOf(kind), GARDENERS));
    expect(mutations.length).toBeGreaterThan(1);
    for (const { detail, mutated, query, expectation } of mutations) {
      const names = mutated!.schema.tables.flatMap(({ columns }) => columns.map(({ originalName }) => originalName));
      expect(detail.split('; ')).toHaveLength(2);
      expect(names).toContain('year_of_birth');
      expect(names.includes('birth_year')).toBe(kind === 'ADD');
      expect(expectation).toBe(kind === 'ADD' ? 'same-query' : 'same-result');
      expect(query === QUERY).toBe(kind === 'ADD');
    }
  });

  it('has nothing for a question whose columns have no candidates', async () => {
    const plots = caseOf('How many plots are there?', 'SELECT count(*) FROM plot');
    expect(await mutateOne(relationOf(kind), plots)).toEqual({ reason: 'no-candidate' });
  });

  it('goes on from another relation’s mutant, whose gold gives the same rows', async () => {
    const [first] = made(await mutateOne(columnRemoval(EXAMPLES.dialect), GARDENERS, 1));
    const starts: readonly MutationCase[] = [GARDENERS, mutantCase(GARDENERS, first!, 'own:0~CRm.0')];
    const mutations: Mutation[] = [];
    for (const start of starts) mutations.push(...made(await mutateOne(relationOf(kind), start)));
    const out = mkdtempSync(join(tmpdir(), 'perturbql-names-'));
    onTestFinished(() => rmSync(out, { recursive: true, force: true }));
    const schemas = mutations.map(({ mutated }) => mutated!);
    const request = { dataset: EXAMPLES, origins: ['community_garden'], schemas, out };
    expect(writeMutantDatabases(request, NOOP_HOST)).toEqual([]);
    const records = mutations.map(({ query, mutated }, i) => {
      const { origin, schema } = mutated!;
      return { id: `own:0~${kind}.${i}`, seed: 'own:0', relations: [kind], db_id: schema.id, origin, query };
    });
    const byId = new Map(schemas.map(({ schema }) => [schema.id, schema]));
    const schemaOf = (id: string) => ({
      database: byId.get(id) ?? EXAMPLES.databases.get(id)!,
      file: databasePath(out, id),
    });
    const { relations } = await verifyMutants({ records, goldOf: () => QUERY, schemaOf, jobs: 1 }, NOOP_HOST);
    expect(relations[kind]?.equal).toBe(mutations.length);
    expect(mutations.length).toBeGreaterThan(2);
  });
});
