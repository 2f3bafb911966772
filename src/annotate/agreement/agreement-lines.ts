import { formatCount } from '../../counts.js';
import type { Estimate } from '../../report/statistics/estimate.js';
import { LEAST_GROUPS } from '../../report/statistics/bootstrap.js';
import { alignColumns } from '../../report/text-table.js';
import type { AgreementReport, GroupAgreement, PairAgreement } from '../api-shapes.js';

function figure(estimate: Estimate | null): string {
  if (estimate === null) return 'not defined';
  const { value, low, high } = estimate;
  if (low === null || high === null) return value.toFixed(3);
  return `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

const table = (rows: readonly (readonly string[])[]): string[] => alignColumns(rows).map((line) => `  ${line}`);

function groupRow(name: string, { items, candidates, observed, krippendorff, fleiss }: GroupAgreement): string[] {
  return [name, String(items), String(candidates), figure(observed), figure(krippendorff), figure(fleiss)];
}

function pairRow(name: string, { items, candidates, observed, cohen }: PairAgreement): string[] {
  return [name, String(items), String(candidates), figure(observed), figure(cohen)];
}

const GROUP_HEAD = ['observed', 'Krippendorff’s alpha', 'Fleiss’ kappa'];
const PAIR_HEAD = ['observed', 'Cohen’s kappa'];
const NAMES = { unit: 'candidates', what: 'Each listed candidate is taken or left' };
const SPLITS = {
  unit: 'units',
  what: 'Each token begins a sub-sentence or not, and its sub-sentence says each clause or not',
};

const PARTS = ['RPL', 'ADD', 'breaks', 'clauses'] as const;

/** Why some figures have no interval. */
function fewItems(rows: readonly { readonly items: number }[]): readonly string[] {
  const some = rows.some(({ items }) => items > 0 && items < LEAST_GROUPS);
  return some
    ? [`  Of fewer than ${LEAST_GROUPS} items there is no interval: whichever is drawn twice would decide it.`]
    : [];
}

/** Renders the output of `annotate agreement`. */
export function renderAgreementLines({ overall, kinds, pairs, annotators }: AgreementReport): readonly string[] {
  const { fleissOver } = overall;
  if (fleissOver === null) return ['no item has been done by two annotators yet: there is nothing to compare'];
  const { unit, what } = kinds.breaks === undefined ? NAMES : SPLITS;
  const parts = PARTS.flatMap((part) => {
    const group = kinds[part];
    return group === undefined || group.items === 0 ? [] : [groupRow(part, group)];
  });
  const head = (figures: readonly string[]): readonly string[] => ['', 'items', unit, ...figures];
  return [
    `${what}; 95% intervals by bootstrap over the items.`,
    ...table([head(GROUP_HEAD), groupRow('all', overall), ...parts]),
    `  Fleiss’ kappa of all: over the ${formatCount(fleissOver.items)} items that ${fleissOver.annotators} annotators have done`,
    'Two annotators',
    ...table([head(PAIR_HEAD), ...pairs.map((pair) => pairRow(pair.annotators.join(' and '), pair))]),
    'One annotator and the others',
    ...table([head(PAIR_HEAD), ...annotators.map((each) => pairRow(each.annotator, each))]),
    ...fewItems([overall, ...Object.values(kinds), ...pairs, ...annotators]),
  ];
}
