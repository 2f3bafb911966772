import { bootstrapStatistics } from '../../report/statistics/bootstrap.js';
import { createRng } from '../../seeded-rng.js';
import { itemAt, mustGet } from '../../present.js';
import type { AnnotationKind, StoredAnswer } from '../annotation.js';
import type { AgreementReport, GroupAgreement, PairAgreement, SplitPart } from '../api-shapes.js';
import type { AnnotationProject } from '../project/annotation-project.js';
import { cohenKappa, FLEISS_KAPPA, KRIPPENDORFF_ALPHA, OBSERVED_AGREEMENT } from './agreement-measures.js';
import { type ItemRating, partOf, type RatedItem, rateItem } from './rated-items.js';

/** A vector of sums per item: those of the three measures, one after the other. */
const OBSERVED_AT = 0;
const ALPHA_AT = 2;
const FLEISS_AT = 5;
const FLEISS_END = 9;

function addVectors(vectors: readonly (readonly number[])[], length: number): readonly number[] {
  return Array.from({ length }, (_, i) => vectors.reduce((sum, vector) => sum + itemAt(vector, i), 0));
}

/** How many annotators took each candidate, and how many did not. */
function countsOf({ ratings }: RatedItem): readonly (readonly [number, number])[] {
  return itemAt(ratings, 0).taken.map((_, c) => {
    const takers = ratings.filter(({ taken }) => taken[c]).length;
    return [takers, ratings.length - takers] as const;
  });
}

function groupVector(item: RatedItem, fleissRaters: number): readonly number[] {
  const hasFleiss = item.ratings.length === fleissRaters;
  const units = countsOf(item).map((counts) => [
    ...OBSERVED_AGREEMENT.vectorOf(counts),
    ...KRIPPENDORFF_ALPHA.vectorOf(counts),
    ...(hasFleiss ? FLEISS_KAPPA.vectorOf(counts) : [0, 0, 0, 0]),
  ]);
  return addVectors(units, FLEISS_END);
}

/** The most frequent number of annotators per item; of equal ones the larger. */
function commonRaters(items: readonly RatedItem[]): { readonly annotators: number; readonly items: number } | null {
  const counts = new Map<number, number>();
  for (const { ratings } of items) counts.set(ratings.length, (counts.get(ratings.length) ?? 0) + 1);
  const [first] = [...counts].sort(([a, n], [b, m]) => m - n || b - a);
  return first === undefined ? null : { annotators: first[0], items: first[1] };
}

const candidatesOf = (items: readonly RatedItem[]): number =>
  items.reduce((sum, { ratings }) => sum + itemAt(ratings, 0).taken.length, 0);

function groupAgreement(items: readonly RatedItem[], seed: number, name: string): GroupAgreement {
  const fleissOver = commonRaters(items);
  const vectors = items.map((item) => groupVector(item, fleissOver?.annotators ?? 0));
  const valuesOf = (sum: readonly number[]): readonly number[] => [
    OBSERVED_AGREEMENT.valueOf(sum.slice(OBSERVED_AT, ALPHA_AT)),
    KRIPPENDORFF_ALPHA.valueOf(sum.slice(ALPHA_AT, FLEISS_AT)),
    FLEISS_KAPPA.valueOf(sum.slice(FLEISS_AT, FLEISS_END)),
  ];
  const figures = bootstrapStatistics(vectors, valuesOf, createRng(seed, `agreement/${name}`));
  const [observed = null, krippendorff = null, fleiss = null] = figures;
  return { items: items.length, candidates: candidatesOf(items), observed, krippendorff, fleiss, fleissOver };
}

/** Candidates by what two raters said: both took it, the first alone, the second alone, neither. */
function pairTable(first: ItemRating, second: ItemRating): readonly number[] {
  const table = [0, 0, 0, 0];
  for (const [c, taken] of first.taken.entries()) {
    const at = (taken ? 0 : 2) + (itemAt(second.taken, c) ? 0 : 1);
    table[at] = itemAt(table, at) + 1;
  }
  return table;
}

/** `tables`: one per item and pair of raters, a list per item. */
function pairAgreement(tables: readonly (readonly (readonly number[])[])[], seed: number, name: string): PairAgreement {
  const vectors = tables.map((ofItem) => addVectors(ofItem, 4));
  const valuesOf = (sum: readonly number[]): readonly number[] => {
    const all = sum.reduce((total, n) => total + n, 0);
    return [(itemAt(sum, 0) + itemAt(sum, 3)) / all, cohenKappa(sum)];
  };
  const figures = bootstrapStatistics(vectors, valuesOf, createRng(seed, `agreement/${name}`));
  const [observed = null, cohen = null] = figures;
  const candidates = tables.reduce(
    (sum, [table]) => sum + mustGet(table, 'table').reduce((total, n) => total + n, 0),
    0,
  );
  return { items: tables.length, candidates, observed, cohen };
}

function ratingBy(item: RatedItem, annotator: string): ItemRating | undefined {
  return item.ratings.find((rating) => rating.annotator === annotator);
}

function pairsOf(items: readonly RatedItem[], names: readonly string[], seed: number): AgreementReport['pairs'] {
  return names.flatMap((a, i) =>
    names.slice(i + 1).flatMap((b) => {
      const tables = items.flatMap((item) => {
        const [first, second] = [ratingBy(item, a), ratingBy(item, b)];
        return first === undefined || second === undefined ? [] : [[pairTable(first, second)]];
      });
      if (tables.length === 0) return [];
      return [{ annotators: [a, b] as const, ...pairAgreement(tables, seed, `pair/${JSON.stringify([a, b])}`) }];
    }),
  );
}

function againstOthers(items: readonly RatedItem[], annotator: string, seed: number): PairAgreement {
  const tables = items.flatMap((item) => {
    const own = ratingBy(item, annotator);
    if (own === undefined) return [];
    return [item.ratings.filter((rating) => rating !== own).map((other) => pairTable(own, other))];
  });
  return pairAgreement(tables, seed, `annotator/${annotator}`);
}

function splitAgreement(items: readonly RatedItem[], seed: number): Partial<Record<SplitPart, GroupAgreement>> {
  if (items.every(({ parts }) => parts === undefined)) return {};
  const ofPart = (part: SplitPart): GroupAgreement => groupAgreement(partOf(items, part), seed, `part/${part}`);
  return { breaks: ofPart('breaks'), clauses: ofPart('clauses') };
}

/**
 * How far annotators agree. A unit is a candidate of an item's list, which each annotator who has done the item takes or
 * leaves; names of their own are not rated. Of a split question a unit is a token that may begin a sub-sentence, or a
 * token and a clause that its sub-sentence may say. Intervals are by bootstrap over the items, since the candidates of one item
 * are not independent.
 */
export function agreementOf(items: readonly RatedItem[], seed = 0): AgreementReport {
  const names = [...new Set(items.flatMap(({ ratings }) => ratings.map(({ annotator }) => annotator)))].sort();
  const ofKind = (kind: AnnotationKind): GroupAgreement =>
    groupAgreement(
      items.filter((item) => item.kind === kind),
      seed,
      `kind/${kind}`,
    );
  return {
    overall: groupAgreement(items, seed, 'overall'),
    kinds: { RPL: ofKind('RPL'), ADD: ofKind('ADD'), ...splitAgreement(items, seed) },
    pairs: pairsOf(items, names, seed),
    annotators: names.map((annotator) => ({ annotator, ...againstOthers(items, annotator, seed) })),
    seed,
  };
}

/** Runs of answers to the same item. */
function* byItem(answers: Iterable<StoredAnswer>): Iterable<readonly StoredAnswer[]> {
  let run: StoredAnswer[] = [];
  for (const answer of answers) {
    if (run[0] !== undefined && run[0].itemId !== answer.itemId) {
      yield run;
      run = [];
    }
    run.push(answer);
  }
  if (run.length > 0) yield run;
}

/** The agreement of a project's annotators, as it is. Adjudications are not part of it. */
export function projectAgreement(project: AnnotationProject, seed?: number): AgreementReport {
  const rated: RatedItem[] = [];
  for (const answers of byItem(project.allAnswers())) {
    if (answers.length < 2) continue;
    const item = rateItem(project.itemAlone(itemAt(answers, 0).itemId), answers);
    if (item !== null) rated.push(item);
  }
  return agreementOf(rated, seed);
}
