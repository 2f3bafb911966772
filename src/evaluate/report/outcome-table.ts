import { renderTable, type TableCell } from '../../report/data-table.js';
import { formatCount, formatShare } from '../../report/figures.js';
import { type Html, html } from '../../report/html.js';
import { type Outcome, OUTCOMES } from '../metric.js';

const GLOSSES: Readonly<Record<Outcome, string>> = {
  correct: 'right',
  wrong: 'SQL that means something else',
  unparsable: 'no SQL that the metric can read',
  failing: 'refused by the database',
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

function cellOf(outcome: Outcome, { outcomes }: OutcomeColumn): TableCell {
  const total = outcomes === null ? 0 : OUTCOMES.reduce((sum, name) => sum + outcomes[name], 0);
  const count = outcomes?.[outcome] ?? 0;
  if (count === 0) return { content: 0, className: 'zero' };
  return html`${formatShare(count / total)}<span class="sub">${formatCount(count)}</span>`;
}

/** What became of answers, as shares of each column; outcomes that no column has are left out. */
export function renderOutcomeTable(columns: readonly OutcomeColumn[]): Html {
  const shown = OUTCOMES.filter(
    (outcome) => outcome === 'correct' || columns.some(({ outcomes }) => (outcomes?.[outcome] ?? 0) > 0),
  );
  return renderTable({
    className: 'scores',
    heads: ['Outcome', ...columns.map(({ heading }) => heading)],
    rows: shown.map((outcome) => [
      html`${outcome}<span class="sub">${GLOSSES[outcome]}</span>`,
      ...columns.map((column) => cellOf(outcome, column)),
    ]),
  });
}
