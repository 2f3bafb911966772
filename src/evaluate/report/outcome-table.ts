import type { Cell, TableSection } from '../../report/document/document.js';
import { formatCount } from '../../counts.js';
import { formatPercent } from '../../report/figures.js';
import { type Outcome, OUTCOMES } from '../metric.js';

const GLOSSES: Readonly<Record<Outcome, string>> = {
  correct: 'right',
  wrong: 'other rows than the gold query; by exact match, another form',
  unparsable: 'no SQL that the metric can read',
  failing: 'refused by the database: a name that it lacks, or another error',
  'timed-out': 'stopped at its time limit',
  'too-large': 'more rows than the limit',
  empty: 'no SQL at all',
  refused: 'no single statement that reads',
  'bad-gold': 'the gold query itself has no answer',
};

/** How many answers came to each outcome; null where nothing was judged. */
export interface OutcomeColumn {
  readonly heading: string;
  readonly outcomes: Readonly<Record<Outcome, number>> | null;
}

function cellOf(outcome: Outcome, { outcomes }: OutcomeColumn): Cell {
  const total = outcomes === null ? 0 : OUTCOMES.reduce((sum, name) => sum + outcomes[name], 0);
  const count = outcomes?.[outcome] ?? 0;
  return count === 0 ? { text: 0, tone: 'soft' } : { text: formatPercent(count / total), sub: formatCount(count) };
}

/** Returns a table of outcomes, as shares of each column; outcomes that no column has are left out. */
export function outcomeTable(caption: string, columns: readonly OutcomeColumn[]): TableSection {
  const shown = OUTCOMES.filter(
    (outcome) => outcome === 'correct' || columns.some(({ outcomes }) => (outcomes?.[outcome] ?? 0) > 0),
  );
  return {
    kind: 'table',
    caption,
    columns: [
      { head: 'Outcome', kind: 'words' },
      ...columns.map(({ heading }) => ({ head: heading, kind: 'figures' as const })),
    ],
    rows: shown.map((outcome) => ({
      cells: [{ text: outcome, sub: GLOSSES[outcome] }, ...columns.map((column) => cellOf(outcome, column))],
    })),
  };
}
