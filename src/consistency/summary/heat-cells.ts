import { HARDNESS_LEVELS } from '../../evaluate/exact/hardness.js';
import { groupBy } from '../../run/group-by.js';
import type { ConsistencyReport } from '../consistency-report.js';
import type { JudgedCase } from '../judge/consistency-judge.js';
import { featuresOf, QUERY_FEATURES, type QueryFeature } from '../query-features.js';
import { countedRelation } from '../../metamorphic/counted-relation.js';
import { rateOf } from './figures.js';

type Key = ConsistencyReport['features'][number]['key'] | ConsistencyReport['hardness'][number]['key'];

/** By relation and key, the cases that have it; keys in their order, none without a case. */
function cellsOf<K extends Key>(
  cases: readonly JudgedCase[],
  keys: readonly K[],
  has: (one: JudgedCase, key: K) => boolean,
): { relation: string; key: K; cases: number; judged: number; inconsistent: number; rate: number | null }[] {
  return [...groupBy(cases, ({ mutant }) => countedRelation(mutant))].flatMap(([relation, own]) =>
    keys.flatMap((key) => {
      const having = own.filter((one) => has(one, key));
      if (having.length === 0) return [];
      return [{ relation, key, cases: having.length, ...rateOf(having.map(({ isSame }) => isSame)) }];
    }),
  );
}

/** The heat map by feature of the seed's gold. */
export function featureCells(cases: readonly JudgedCase[]): ConsistencyReport['features'] {
  const known = new Map<string, ReadonlySet<QueryFeature>>();
  const featuresFor = ({ group }: JudgedCase): ReadonlySet<QueryFeature> => {
    const features = known.get(group.seed.id) ?? new Set(group.seed.query === null ? [] : featuresOf(group.seed.query));
    known.set(group.seed.id, features);
    return features;
  };
  return cellsOf(cases, QUERY_FEATURES, (one, feature) => featuresFor(one).has(feature));
}

/** The same by the hardness of the seed's gold. */
export function hardnessCells(cases: readonly JudgedCase[]): ConsistencyReport['hardness'] {
  return cellsOf(cases, HARDNESS_LEVELS, ({ before }, level) => before.exact?.hardness === level);
}
