import type { Cell, Row, TableSection } from '../../report/document/document.js';
import { formatTenths } from '../../report/figures.js';
import {
  answersWithColumns,
  ATTACK_CONDITIONS,
  type AttackCondition,
  type AttackReport,
  type AttackScore,
} from '../attack-report.js';
import { ATTACK_METRICS } from '../attack-metrics.js';

const HEADINGS = { original: 'Dev', RPL: 'RPL', ADD: 'ADD' } as const;
const METRIC_NAMES = { exact: 'exact match', execution: 'execution', columns: 'all columns' } as const;

function signed(loss: number): string {
  return `${loss > 0 ? '−' : '+'}${formatTenths(Math.abs(loss))}`;
}

type ShownScore = Pick<AttackScore, 'accuracy' | 'std'> & {
  readonly drop: Pick<NonNullable<AttackScore['drop']>, 'absolute' | 'relative'> | null;
};

/** "27.6 ± 1.8", with "−43.2 / −61.0%": mean, standard deviation over the seeds, absolute and relative drop. */
function scoreCell({ accuracy, std, drop }: ShownScore): Cell {
  const spread = std === null ? '' : ` ± ${formatTenths(std)}`;
  if (drop === null) return formatTenths(accuracy);
  const relative = drop.relative === null ? '' : ` / ${signed(drop.relative)}%`;
  return { text: `${formatTenths(accuracy)}${spread}`, sub: `${signed(drop.absolute)}${relative}` };
}

/** Returns the conditions that examples were asked under: without candidates, their own tables alone. */
function conditionsOf({ settings }: AttackReport): readonly AttackCondition[] {
  return settings.candidates === null ? ['original'] : ATTACK_CONDITIONS;
}

function scoreRows(report: AttackReport): readonly Row[] {
  return ATTACK_METRICS.flatMap((metric) => {
    const own = report.scores.filter((score) => score.metric === metric);
    if (own.length === 0) return [];
    const cells = conditionsOf(report).map((condition) => own.find((score) => score.condition === condition));
    return [{ cells: [METRIC_NAMES[metric], ...cells.map((score) => (score === undefined ? '' : scoreCell(score)))] }];
  });
}

/** Precision, recall and F1 of the columns that answers name. */
function linkingRows({ linking = [] }: AttackReport): readonly Row[] {
  if (linking.length === 0) return [];
  const share = (value: number | null): string => (value === null ? '' : formatTenths(value));
  return [
    { cells: ['column F1', ...linking.map(({ f1, ...rest }) => scoreCell({ accuracy: f1, ...rest }))] },
    { cells: ['precision', ...linking.map(({ precision }) => share(precision))] },
    { cells: ['recall', ...linking.map(({ recall }) => share(recall))] },
  ];
}

/** The scores in the shape of the paper's table (ADVETA appendix C.3, Table 12), in percent. */
export function scoreTable(report: AttackReport): TableSection {
  const [scores, linking] = [scoreRows(report), linkingRows(report)];
  return {
    kind: 'table',
    caption: 'Percent right; below it the change in points, and of the original accuracy',
    columns: [
      { head: '', kind: 'words' },
      ...conditionsOf(report).map((condition) => ({ head: HEADINGS[condition], kind: 'figures' as const })),
    ],
    rows: answersWithColumns(report) ? [...linking, ...scores] : [...scores, ...linking],
  };
}
