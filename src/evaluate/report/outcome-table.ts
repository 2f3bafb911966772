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

function renderShareCell(count: number, total: number): Html {
  if (count === 0) return html`<td class="num zero">0</td>`;
  return html`<td class="num">${formatShare(count / total)}<span class="sub">${formatCount(count)}</span></td>`;
}

function renderCell(outcome: Outcome, { outcomes }: OutcomeColumn): Html {
  const total = outcomes === null ? 0 : OUTCOMES.reduce((sum, name) => sum + outcomes[name], 0);
  return renderShareCell(outcomes?.[outcome] ?? 0, total);
}

/** What became of answers, as shares of each column; outcomes that no column has are left out. */
export function renderOutcomeTable(columns: readonly OutcomeColumn[]): Html {
  const shown = OUTCOMES.filter(
    (outcome) => outcome === 'correct' || columns.some(({ outcomes }) => (outcomes?.[outcome] ?? 0) > 0),
  );
  return html`<table class="scores">
    <thead>
      <tr>
        <th scope="col">Outcome</th>
        ${columns.map(({ heading }) => html`<th scope="col" class="num">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${shown.map(
        (outcome) =>
          html`<tr>
            <th scope="row">${outcome}<span class="sub">${GLOSSES[outcome]}</span></th>
            ${columns.map((column) => renderCell(outcome, column))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
