import { takeOne, tally } from '../../counts.js';
import type { SetCount } from '../linking/schema-linking.js';

/**
 * The components that Spider's exact match is made of (Yu et al. 2018, §5), under the names of its published script.
 */
export const EXACT_COMPONENTS = [
  'select',
  'select(no AGG)',
  'where',
  'where(no OP)',
  'group(no Having)',
  'group',
  'order',
  'and/or',
  'IUEN',
  'keywords',
] as const;
export type ExactComponent = (typeof EXACT_COMPONENTS)[number];

export type ComponentCounts = Readonly<Record<ExactComponent, SetCount>>;

/** Something of each component. */
export function ofComponents<T>(of: (component: ExactComponent) => T): Readonly<Record<ExactComponent, T>> {
  return Object.fromEntries(EXACT_COMPONENTS.map((one) => [one, of(one)])) as Record<ExactComponent, T>;
}

/**
 * Checks whether a component is the same on both sides: the script's precision, recall and F1 of one pair are all 1
 * then, else 0.
 */
export function isMatched({ gold, predicted, matched }: SetCount): boolean {
  return gold === predicted && matched === predicted;
}

/** How many of the keys both lists have, each as often as both have it. */
export function countCommon(left: readonly string[], right: readonly string[]): number {
  const counts = tally(right);
  return left.filter((key) => takeOne(counts, key)).length;
}

/** The count of a component that is a bag of keys. */
export function countKeys(predicted: readonly string[], gold: readonly string[]): SetCount {
  return { gold: gold.length, predicted: predicted.length, matched: countCommon(predicted, gold) };
}

/** The meanings of component names in Spider's script. */
export const COMPONENT_NAMES: Readonly<Record<ExactComponent, string>> = {
  select: 'SELECT',
  'select(no AGG)': 'SELECT, without aggregates',
  where: 'WHERE',
  'where(no OP)': 'WHERE, without operators',
  'group(no Having)': 'GROUP BY, without HAVING',
  group: 'GROUP BY and HAVING',
  order: 'ORDER BY and LIMIT',
  'and/or': 'AND, OR',
  IUEN: 'INTERSECT, UNION, EXCEPT',
  keywords: 'Keywords',
};
