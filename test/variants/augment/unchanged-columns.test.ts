import { describe, expect, it } from 'vitest';
import { CandidatePool } from '../../../src/variants/relations/names/candidate-pool.js';
import type { KeptVariant } from '../../../src/variants/augment/perturbed-dataset.js';
import { UnchangedColumns } from '../../../src/variants/augment/unchanged-columns.js';
import type { ColumnRef } from '../../../src/schema/schema.js';
import { acceptedDecision } from '../../e2e/example-data.js';
import { BIRTH_YEAR, GARDEN, HOME_COUNTRY } from '../relations/names/garden-schema.js';

const POOL = new CandidatePool([
  acceptedDecision({
    db_id: GARDEN.id,
    table: 'gardener',
    column: 'birth year',
    candidate: 'year of birth',
    bucket: 'RPL',
  }),
]);

function variant(
  kind: 'RPL' | 'ADD',
  without: readonly ColumnRef[],
  changed: readonly (readonly [ColumnRef, 'RPL' | 'ADD'])[] = [],
): KeptVariant {
  const changes = changed.map(([ref, bucket]) => ({ kind: bucket, ref })) as unknown as KeptVariant['changes'];
  return { without: without.map((ref) => ({ kind, ref })), changes } as unknown as KeptVariant;
}

function listOf(...variants: readonly KeptVariant[]): readonly string[] {
  const unchanged = new UnchangedColumns('independent');
  for (const one of variants) unchanged.note(GARDEN, one, POOL);
  return unchanged.list().map(({ column, bucket, reason }) => `${column} ${bucket}: ${reason}`);
}

describe('columns that no variant changes', () => {
  it('are listed once in each bucket, with the true reason', () => {
    const found = listOf(
      variant('RPL', [HOME_COUNTRY, BIRTH_YEAR]),
      variant('RPL', [HOME_COUNTRY]),
      variant('ADD', [HOME_COUNTRY]),
    );
    expect(found).toEqual([
      'home country RPL: no name',
      'birth year RPL: no fitting name',
      'home country ADD: no name',
    ]);
  });

  it('are none that another variant changes in the same bucket', () => {
    expect(listOf(variant('RPL', [BIRTH_YEAR]), variant('RPL', [], [[BIRTH_YEAR, 'RPL']]))).toEqual([]);
    expect(listOf(variant('RPL', [BIRTH_YEAR]), variant('ADD', [], [[BIRTH_YEAR, 'ADD']]))).toHaveLength(1);
  });
});
