import { ATTACK_METRIC_TITLES } from '../attack-metrics.js';
import { NO_FIGURE, renderTable, type TableCell } from '../../report/data-table.js';
import { formatCount, formatNoun, formatPercent, formatShare } from '../../report/figures.js';
import { type Html, html } from '../../report/html.js';
import { renderComposition } from '../../report/svg-plots.js';
import type { AttackCase, AttackReport } from '../attack-report.js';
import { type CaseStatus, measuredMetrics, statusOf } from './case-status.js';
import type { AttackMetric } from '../attack-metrics.js';

/** What RPL and ADD did to answers that were right on the original tables, by example and seed. */
export interface Contrast {
  readonly both: number;
  readonly onlyRpl: number;
  readonly onlyAdd: number;
  readonly neither: number;
}

/** Answers that were right on the original tables, and how many of them broke. */
interface Breakage {
  readonly cases: number;
  readonly broken: number;
}

/** Counts RPL against ADD over the example and seed pairs that have both and were right on the original. */
export function contrastKinds(cases: readonly AttackCase[], metric: AttackMetric): Contrast {
  const count = { both: 0, onlyRpl: 0, onlyAdd: 0, neither: 0 };
  for (const one of cases) {
    const added = new Map(one.perturbed.filter(({ kind }) => kind === 'ADD').map((variant) => [variant.seed, variant]));
    for (const renamed of one.perturbed.filter(({ kind }) => kind === 'RPL')) {
      const other = added.get(renamed.seed);
      if (other === undefined) continue;
      const [rpl, add] = [statusOf(one, renamed, metric), statusOf(one, other, metric)];
      if (isJudged(rpl) && isJudged(add)) count[CONTRAST_KEYS[`${rpl} ${add}`]]++;
    }
  }
  return count;
}

const CONTRAST_KEYS = {
  'broken broken': 'both',
  'broken survived': 'onlyRpl',
  'survived broken': 'onlyAdd',
  'survived survived': 'neither',
} as const;

function isJudged(status: CaseStatus | null): status is 'broken' | 'survived' {
  return status === 'broken' || status === 'survived';
}

/** Answers right on the original by the number of columns that were perturbed. */
function byChanges(cases: readonly AttackCase[], metric: AttackMetric, kind: 'RPL' | 'ADD'): Map<number, Breakage> {
  const found = new Map<number, Breakage>();
  for (const one of cases) {
    for (const variant of one.perturbed) {
      const status = statusOf(one, variant, metric);
      if (variant.kind !== kind || !isJudged(status)) continue;
      const before = found.get(variant.changes.length) ?? { cases: 0, broken: 0 };
      const broken = before.broken + Number(status === 'broken');
      found.set(variant.changes.length, { cases: before.cases + 1, broken });
    }
  }
  return found;
}

/** RPL against ADD on the same questions, and by how many columns were perturbed. */
export function renderContrast({ cases, scores }: AttackReport): Html {
  const metrics = measuredMetrics(scores);
  return html`<p class="note">
      Answers that were right on the original tables, by example and seed: which perturbation broke them.
    </p>
    <div class="body${metrics.length > 1 && ' split'}">
      ${metrics.map(
        (metric) =>
          html`<div>
            <h3>${ATTACK_METRIC_TITLES[metric]}</h3>
            ${renderShares(contrastKinds(cases, metric), metric)}${renderByChanges(cases, metric)}
          </div>`,
      )}
    </div>`;
}

function renderShares({ both, onlyRpl, onlyAdd, neither }: Contrast, metric: AttackMetric): Html {
  const total = both + onlyRpl + onlyAdd + neither;
  if (total === 0) return html`<p class="note">No example has both kinds and was right on the original.</p>`;
  const part = (
    count: number,
    className: string,
    what: string,
  ): { share: number; className: string; label: string } => {
    return { share: count / total, className, label: `${what} ${formatShare(count / total)}` };
  };
  const parts = [
    part(both, 'bad', 'Both break it'),
    part(onlyRpl, 'rpl', 'Only RPL'),
    part(onlyAdd, 'add', 'Only ADD'),
    part(neither, 'good', 'Neither'),
  ];
  return html`<div class="contrast">
    ${renderComposition(`contrast-${metric}`, `${ATTACK_METRIC_TITLES[metric]}: what broke right answers`, parts)}
    <ul class="legend">
      ${parts.map(({ className, label }) => html`<li class="${className}">${label}</li>`)}
    </ul>
    <p class="note">Of ${formatNoun(total, 'case')}.</p>
  </div>`;
}

function renderByChanges(cases: readonly AttackCase[], metric: AttackMetric): Html | false {
  const [rpl, add] = [byChanges(cases, metric, 'RPL'), byChanges(cases, metric, 'ADD')];
  const numbers = [...new Set([...rpl.keys(), ...add.keys()])].sort((a, b) => a - b);
  if (numbers.length === 0) return false;
  return renderTable({
    heads: ['Perturbed columns', 'Broken by RPL', 'Broken by ADD'],
    rows: numbers.map((number) => [number, ...[rpl, add].map((kind) => breakageCell(kind.get(number)))]),
  });
}

function breakageCell(breakage: Breakage | undefined): TableCell {
  if (breakage === undefined) return NO_FIGURE;
  const { broken, cases } = breakage;
  return html`${formatPercent(broken / cases)}<span class="sub">of ${formatCount(cases)}</span>`;
}
