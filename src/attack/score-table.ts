import { countNoun, formatTenths } from '../report/figures.js';
import { alignColumns } from '../report/text-table.js';
import { renderMutantTable } from './mutants/mutant-lines.js';
import { executionLines } from '../victims/executions/execution-figures.js';
import { renderRecompositionTable } from '../victims/recomposition/recomposition-lines.js';
import {
  answersWithColumns,
  ATTACK_CONDITIONS,
  type AttackCondition,
  type AttackReport,
  type AttackScore,
} from './attack-report.js';
import { ATTACK_METRICS } from './attack-metrics.js';

const HEADINGS = { original: 'Dev', RPL: 'RPL', ADD: 'ADD' } as const;
const METRIC_NAMES = { exact: 'exact match', execution: 'execution', columns: 'all columns' } as const;

function signed(loss: number): string {
  return `${loss > 0 ? '-' : '+'}${formatTenths(Math.abs(loss))}`;
}

type ShownScore = Pick<AttackScore, 'accuracy' | 'std'> & {
  readonly drop: Pick<NonNullable<AttackScore['drop']>, 'absolute' | 'relative'> | null;
};

/** "27.6 ± 1.8 (-43.2 / -61.0%)": mean, standard deviation over the seeds, absolute and relative drop. */
function renderScore({ accuracy, std, drop }: ShownScore): string {
  const spread = std === null ? '' : ` ± ${formatTenths(std)}`;
  if (drop === null) return formatTenths(accuracy);
  const relative = drop.relative === null ? '' : ` / ${signed(drop.relative)}%`;
  return `${formatTenths(accuracy)}${spread} (${signed(drop.absolute)}${relative})`;
}

/** What examples were asked of: without candidates, their own tables alone. */
function conditionsOf({ settings }: AttackReport): readonly AttackCondition[] {
  return settings.candidates === null ? ['original'] : ATTACK_CONDITIONS;
}

function scoreCells(report: AttackReport): string[][] {
  return ATTACK_METRICS.flatMap((metric) => {
    const own = report.scores.filter((score) => score.metric === metric);
    if (own.length === 0) return [];
    const cells = conditionsOf(report).map((condition) => own.find((score) => score.condition === condition));
    return [[METRIC_NAMES[metric], ...cells.map((score) => (score === undefined ? '' : renderScore(score)))]];
  });
}

/** Precision, recall and F1 of the columns that answers name. */
function linkingCells({ linking = [] }: AttackReport): string[][] {
  if (linking.length === 0) return [];
  const share = (value: number | null): string => (value === null ? '' : formatTenths(value));
  return [
    ['column F1', ...linking.map(({ f1, ...rest }) => renderScore({ accuracy: f1, ...rest }))],
    ['precision', ...linking.map(({ precision }) => share(precision))],
    ['recall', ...linking.map(({ recall }) => share(recall))],
  ];
}

/** Failures that left questions without SQL, by condition: "no SQL: original 12 no-sql; RPL 31 no-sql, 2 timeout". */
function renderFailures({ usage }: AttackReport): readonly string[] {
  const parts = ATTACK_CONDITIONS.flatMap((condition) => {
    const kinds = Object.entries(usage.failures[condition] ?? {});
    return kinds.length === 0 ? [] : [`${condition} ${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')}`];
  });
  return parts.length === 0 ? [] : [`answers without SQL, counted as wrong: ${parts.join('; ')}`];
}

/** The scores in the shape of the paper's table (ADVETA appendix C.3, Table 12), in percent, with what to know of them. */
export function renderScoreTable(report: AttackReport): readonly string[] {
  const table = alignColumns([
    ['', ...conditionsOf(report).map((condition) => HEADINGS[condition])],
    ...(answersWithColumns(report)
      ? [...linkingCells(report), ...scoreCells(report)]
      : [...scoreCells(report), ...linkingCells(report)]),
  ]);
  const { leftOut, warnings, compositions, mutants } = report;
  return [
    ...table,
    ...(compositions === undefined ? [] : renderRecompositionTable(compositions)),
    ...(mutants === undefined ? [] : renderMutantTable(mutants)),
    ...renderFailures(report),
    ...executionLines(report.usage),
    ...leftOut.map(({ reason, examples }) => `left out: ${countNoun(examples, 'example')}, ${reason}`),
    ...warnings.map((warning) => `note: ${warning}`),
  ];
}
