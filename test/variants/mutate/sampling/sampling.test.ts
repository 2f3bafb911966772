import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  normalizedRates,
  quotasOf,
  sampleMutants,
  type Sampled,
  type SamplingPlan,
} from '../../../../src/variants/mutate/sampling/sampling.js';
import { COMPOSED, countedRelation } from '../../../../src/variants/relations/counted-relation.js';
import { RELATION_IDS } from '../../../../src/variants/relations/relations.js';

const mutantsOf = (sizes: Readonly<Record<string, number>>): Sampled[] =>
  Object.entries(sizes).flatMap(([relation, size]) =>
    Array.from({ length: size }, (_, i) => ({
      id: `dev:${i}~${relation}.0`,
      relations: relation === COMPOSED ? ['CRm', 'PI'] : [relation],
    })),
  );

function countByRelation(mutants: readonly Sampled[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const mutant of mutants) counts[countedRelation(mutant)] = (counts[countedRelation(mutant)] ?? 0) + 1;
  return counts;
}

const sizes = fc.dictionary(fc.constantFrom(...RELATION_IDS, COMPOSED), fc.integer({ min: 0, max: 30 }));
const rates = fc
  .dictionary(fc.constantFrom(...RELATION_IDS), fc.double({ min: 0, max: 1, noNaN: true }))
  .map((record) => new Map(Object.entries(record)));
const plan: fc.Arbitrary<SamplingPlan> = fc.oneof(
  fc.record({
    strategy: fc.constantFrom('random' as const, 'stratified' as const),
    budget: fc.nat(100),
    seed: fc.nat(),
  }),
  fc.record({ strategy: fc.constant('adaptive' as const), budget: fc.nat(100), seed: fc.nat(), rates }),
);

describe('sampleMutants', () => {
  it('gives as many as the budget, or all, each once and in their order', () => {
    fc.assert(
      fc.property(sizes, plan, (some, how) => {
        const mutants = mutantsOf(some);
        const chosen = sampleMutants(mutants, how);
        expect(chosen).toHaveLength(Math.min(how.budget, mutants.length));
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(mutants.filter((mutant) => chosen.includes(mutant))).toEqual(chosen);
      }),
    );
  });

  it('gives the same for the same seed', () => {
    fc.assert(
      fc.property(sizes, plan, (some, how) => {
        expect(sampleMutants(mutantsOf(some), how)).toEqual(sampleMutants(mutantsOf(some), how));
      }),
    );
  });

  it('stratified: gives each relation min(m_i, n/k) at least', () => {
    fc.assert(
      fc.property(sizes, fc.nat(100), fc.nat(), (some, budget, seed) => {
        const counts = countByRelation(sampleMutants(mutantsOf(some), { strategy: 'stratified', budget, seed }));
        const present = Object.entries(some).filter(([, size]) => size > 0);
        for (const [relation, size] of present) {
          expect(counts[relation] ?? 0).toBeGreaterThanOrEqual(Math.min(size, Math.floor(budget / present.length)));
        }
      }),
    );
  });

  it('adaptive: gives each relation its share of the errors at least', () => {
    fc.assert(
      fc.property(sizes, rates, fc.nat(100), fc.nat(), (some, errors, budget, seed) => {
        const plan = { strategy: 'adaptive', budget, seed, rates: errors } as const;
        const counts = countByRelation(sampleMutants(mutantsOf(some), plan));
        const present = Object.keys(some).filter((relation) => some[relation]! > 0);
        const shares = normalizedRates(present, errors);
        const quotas = quotasOf(
          present.map((relation) => some[relation]!),
          shares,
          budget,
        );
        present.forEach((relation, i) => expect(counts[relation] ?? 0).toBeGreaterThanOrEqual(quotas[i]!));
      }),
    );
  });

  it('stratified: amplifies relations that few mutants are of, as the paper’s example', () => {
    const mutants = mutantsOf({ PR: 5, PI: 100, CRn: 200 });
    const counts = countByRelation(sampleMutants(mutants, { strategy: 'stratified', budget: 90, seed: 1 }));
    expect(counts['PR']).toBe(5);
    expect(counts['PI']).toBeGreaterThanOrEqual(30);
    expect(counts['CRn']).toBeGreaterThanOrEqual(30);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(90);
  });

  it('adaptive: takes from where a model errs, and fills up at random', () => {
    const errors = new Map([
      ['SS', 0.3],
      ['PI', 0.1],
    ]);
    const mutants = mutantsOf({ SS: 50, PI: 50, TS: 50 });
    const counts = countByRelation(
      sampleMutants(mutants, { strategy: 'adaptive', budget: 40, seed: 0, rates: errors }),
    );
    expect(counts).toEqual({ SS: 30, PI: 10 });
    const few = countByRelation(
      sampleMutants(mutantsOf({ SS: 10, PI: 50, TS: 50 }), {
        strategy: 'adaptive',
        budget: 40,
        seed: 0,
        rates: errors,
      }),
    );
    expect(few['SS']).toBe(10);
    expect(few['PI']).toBeGreaterThanOrEqual(10);
    expect((few['PI'] ?? 0) + (few['TS'] ?? 0)).toBe(30);
  });
});

describe('normalizedRates', () => {
  it('sum to 1, or are all 0', () => {
    expect(
      normalizedRates(
        ['PI', 'PR', 'CI'],
        new Map([
          ['PI', 0.1],
          ['PR', 0.3],
        ]),
      ),
    ).toEqual([0.25, 0.75, 0].map((share) => expect.closeTo(share, 12) as number));
    expect(normalizedRates(['PI', 'PR'], new Map())).toEqual([0, 0]);
  });
});

describe('quotasOf', () => {
  it('is not off by a rounding error', () => {
    expect(quotasOf([9, 9, 9], [1 / 3, 1 / 3, 1 / 3], 9)).toEqual([3, 3, 3]);
    expect(quotasOf([9], [0.29], 100)).toEqual([9]);
    expect(quotasOf([50], [0.29], 100)).toEqual([29]);
  });
});
