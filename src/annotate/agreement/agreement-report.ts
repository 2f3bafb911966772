import { tally } from '../../counts.js';
import { bootstrapStatistics } from '../../report/statistics/bootstrap.js';
import { createRng } from '../../seeded-rng.js';
import type { AnnotationKind, StoredAnswer, AnnotationItem } from '../annotation.js';
import type { AgreementReport, GroupAgreement, PairAgreement, SplitPart } from '../api-shapes.js';
import type { AnnotationProject } from '../project/annotation-project.js';
import { RULES_OF_KINDS } from '../project/answer-schema.js';
import { zip } from '../../present.js';
import { runsBy } from '../../run/group-by.js';

/**
 * Agreement as sums over units, so that units can be resampled: each measure turns the ratings of a unit, as numbers of
 * raters per category, into a vector of figures that add up, and a sum of such vectors into its value. NaN where it is
 * not defined: nothing rated twice, or all ratings of one category, where chance alone would agree as well.
 */
export interface AgreementMeasure {
  readonly vectorOf: (counts: readonly number[]) => readonly number[];
  readonly valueOf: (sum: readonly number[]) => number;
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Share of agreeing pairs of raters, of all pairs that rated the same unit. */
export const OBSERVED_AGREEMENT: AgreementMeasure = {
  vectorOf: (counts) => {
    const n = total(counts);
    return [total(counts.map((count) => count * (count - 1))), n * (n - 1)];
  },
  valueOf: ([agreeing = 0, pairs = 0]) => agreeing / pairs,
};

/**
 * Fleiss' kappa: Fleiss, J. L. (1971), "Measuring nominal scale agreement among many raters", Psychological Bulletin
 * 76(5), 378-382, eqs. 2-7. Every unit must have the same number of raters.
 */
export const FLEISS_KAPPA: AgreementMeasure = {
  vectorOf: (counts) => {
    const n = total(counts);
    return [total(counts.map((count) => count * (count - 1))) / (n * (n - 1)), 1, ...counts];
  },
  valueOf: ([agreement = 0, units = 0, ...counts]) => {
    const ratings = total(counts);
    const expected = total(counts.map((count) => (count / ratings) ** 2));
    return (agreement / units - expected) / (1 - expected);
  },
};

/**
 * Krippendorff's alpha for nominal data, with any number of raters per unit: Krippendorff, K. (2011), "Computing
 * Krippendorff's Alpha-Reliability", section C. A unit with one rating says nothing and counts nothing.
 */
export const KRIPPENDORFF_ALPHA: AgreementMeasure = {
  vectorOf: (counts) => {
    const n = total(counts);
    if (n < 2) return [0, ...counts.map(() => 0)];
    return [total(counts.map((count) => count * (count - 1))) / (n - 1), ...counts];
  },
  valueOf: ([coinciding = 0, ...counts]) => {
    const ratings = total(counts);
    const expected = total(counts.map((count) => count * (count - 1)));
    return ((ratings - 1) * coinciding - expected) / (ratings * (ratings - 1) - expected);
  },
};

/**
 * Cohen's kappa of a table of two raters, row by row, rows the first rater's categories: Cohen, J. (1960), "A
 * coefficient of agreement for nominal scales", Educational and Psychological Measurement 20(1), 37-46, eq. 1. NaN where
 * both use one category alone, or there is nothing.
 */
export function cohenKappa(table: readonly number[]): number {
  const k = Math.sqrt(table.length);
  const all = total(table);
  const sumOf = (isMeant: (row: number, column: number) => boolean): number =>
    total(table.filter((_, at) => isMeant(Math.floor(at / k), at % k)));
  const categories = Array.from({ length: k }, (_, i) => i);
  const observed = sumOf((row, column) => row === column) / all;
  const expected =
    total(categories.map((i) => sumOf((row) => row === i) * sumOf((_, column) => column === i))) / (all * all);
  return (observed - expected) / (1 - expected);
}

/** A vector of sums per item: those of the three measures, one after the other. */
const OBSERVED_AT = 0;
const ALPHA_AT = 2;
const FLEISS_AT = 5;
const FLEISS_END = 9;

function addVectors(vectors: readonly (readonly number[])[], length: number): readonly number[] {
  return vectors.reduce((sum, vector) => zip(sum, vector).map(([a, b]) => a + b), new Array<number>(length).fill(0));
}

/** Number of candidates that all annotators of an item rated. */
const unitsOf = ({ ratings: [first] }: Pick<RatedItem, 'ratings'>): number => first?.taken.length ?? 0;

/** How many annotators took each candidate, and how many did not. */
function countsOf({ ratings }: RatedItem): readonly (readonly [number, number])[] {
  return Array.from({ length: unitsOf({ ratings }) }, (_, c) => {
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
  const counts = tally(items.map(({ ratings }) => ratings.length));
  const [first] = [...counts].sort(([a, n], [b, m]) => m - n || b - a);
  return first === undefined ? null : { annotators: first[0], items: first[1] };
}

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
  return { items: items.length, candidates: total(items.map(unitsOf)), observed, krippendorff, fleiss, fleissOver };
}

/** Candidates by what two raters said: both took it, the first alone, the second alone, neither. */
function pairTable(first: ItemRating, second: ItemRating): readonly number[] {
  const pairs = zip(first.taken, second.taken);
  const count = (a: boolean, b: boolean): number => pairs.filter(([own, other]) => own === a && other === b).length;
  return [count(true, true), count(true, false), count(false, true), count(false, false)];
}

/** `tables`: one per item and pair of raters, a list per item. */
function pairAgreement(tables: readonly (readonly (readonly number[])[])[], seed: number, name: string): PairAgreement {
  const vectors = tables.map((ofItem) => addVectors(ofItem, 4));
  const valuesOf = (sum: readonly number[]): readonly number[] => {
    const [both = 0, , , neither = 0] = sum;
    return [(both + neither) / total(sum), cohenKappa(sum)];
  };
  const figures = bootstrapStatistics(vectors, valuesOf, createRng(seed, `agreement/${name}`));
  const [observed = null, cohen = null] = figures;
  const candidates = total(tables.flatMap(([table = []]) => table));
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

/** The agreement of a project's annotators, as it is. Adjudications are not part of it. */
export function projectAgreement(project: AnnotationProject, seed?: number): AgreementReport {
  const rated: RatedItem[] = [];
  for (const answers of runsBy(project.allAnswers(), ({ itemId }) => itemId)) {
    if (answers.length < 2) continue;
    const item = rateItem(project.itemAlone(answers[0].itemId), answers);
    if (item !== null) rated.push(item);
  }
  return agreementOf(rated, seed);
}

/** One annotator's marks for an item: one per listed candidate, or per unit of a split question, in their order. */
interface ItemRating {
  readonly annotator: string;
  readonly taken: readonly boolean[];
}

/** An item that at least two annotators have done. */
export interface RatedItem {
  readonly kind: AnnotationKind;
  readonly ratings: readonly ItemRating[];
  /** Of a split question, which of the marks are of what. */
  readonly parts?: readonly { readonly part: SplitPart; readonly from: number; readonly to: number }[];
}

/** The ratings of an item; null where fewer than two are done. Drafts and skipped ones say nothing of it. */
export function rateItem(item: AnnotationItem, answers: readonly StoredAnswer[]): RatedItem | null {
  const done = answers.filter(({ state }) => state === 'done');
  const rated = done.length < 2 ? [] : RULES_OF_KINDS[item.kind].rated(done, item);
  if (rated.length === 0) return null;
  const ratings = done.map(({ annotator }, i) => ({
    annotator,
    taken: rated.flatMap(({ taken }) => taken[i] ?? []),
  }));
  let from = 0;
  const parts = rated.flatMap(({ part, taken }) => {
    const range = { from, to: (from += taken[0]?.length ?? 0) };
    return part === null ? [] : [{ part, ...range }];
  });
  return { kind: item.kind, ratings, ...(parts.length === 0 ? {} : { parts }) };
}

/** The items with what is rated of one part alone; those without it are left out. */
function partOf(items: readonly RatedItem[], part: SplitPart): readonly RatedItem[] {
  return items.flatMap(({ kind, ratings, parts = [] }) => {
    const range = parts.find((one) => one.part === part);
    if (range === undefined) return [];
    const { from, to } = range;
    return [{ kind, ratings: ratings.map(({ annotator, taken }) => ({ annotator, taken: taken.slice(from, to) })) }];
  });
}
