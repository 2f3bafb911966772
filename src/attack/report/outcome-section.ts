import { ATTACK_METRIC_TITLES } from '../attack-metrics.js';
import { countCell, renderTable } from '../../report/data-table.js';
import { formatCount } from '../../report/figures.js';
import { executionFacts } from '../../victims/executions/execution-figures.js';
import { type Html, html } from '../../report/html.js';
import { renderFacts } from '../../report/page-parts.js';
import { renderOutcomeTable } from '../../evaluate/report/outcome-table.js';
import { ATTACK_CONDITIONS, type AttackReport } from '../attack-report.js';
import { measuredMetrics } from './case-status.js';
import { findScore } from './headline-section.js';
import type { AttackMetric } from '../attack-metrics.js';

function renderOutcomesOf({ scores }: AttackReport, metric: AttackMetric): Html {
  return renderOutcomeTable(
    ATTACK_CONDITIONS.map((condition) => ({
      heading: condition === 'original' ? 'Original' : condition,
      outcomes: findScore(scores, metric, condition)?.outcomes ?? null,
    })),
  );
}

/** What became of the answers, why there was none, what was left out, and what it cost. */
export function renderOutcomes(report: AttackReport): Html {
  const metrics = measuredMetrics(report.scores);
  return html`<div class="body${metrics.length > 1 && ' split'}">
      ${metrics.map(
        (metric) =>
          html`<div>
            <h3>${ATTACK_METRIC_TITLES[metric]}</h3>
            ${renderOutcomesOf(report, metric)}
          </div>`,
      )}
    </div>
    <div class="body split">
      <div>${renderFailures(report)}</div>
      <div>${renderUsage(report)}</div>
    </div>`;
}

function renderFailures({ usage }: AttackReport): Html {
  const kinds = [...new Set(ATTACK_CONDITIONS.flatMap((condition) => Object.keys(usage.failures[condition] ?? {})))];
  if (kinds.length === 0) {
    return html`<h3>Questions without an answer</h3>
      <p class="note">None.</p>`;
  }
  return html`<h3>Questions without an answer</h3>
    ${renderTable({
      heads: ['Failure', 'Original', 'RPL', 'ADD'],
      rows: kinds
        .sort()
        .map((kind) => [
          kind,
          ...ATTACK_CONDITIONS.map((condition) => countCell(usage.failures[condition]?.[kind] ?? 0)),
        ]),
    })}`;
}

function renderUsage({ usage, leftOut }: AttackReport): Html {
  const facts: (readonly [string, string])[] = [
    ['Questions asked', formatCount(usage.questions)],
    ['Calls, retries among them', formatCount(usage.calls)],
    ['Tokens of prompts', formatCount(usage.promptTokens)],
    ['Tokens of answers', formatCount(usage.completionTokens)],
    ...Object.entries(usage.cleaned).map(([step, count]) => [`Cleaned: ${step}`, formatCount(count)] as const),
    ...executionFacts(usage),
    ...leftOut.map(({ reason, examples }) => [`Left out: ${reason}`, formatCount(examples)] as const),
  ];
  return html`<h3>Cost, cleaning, what was left out</h3>
    <div class="stacked">${renderFacts(facts)}</div>`;
}
