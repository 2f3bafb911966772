import type { SplitTask } from '../../annotation.js';
import { KeyCap } from '../parts/key.js';
import { type Saying, sayingOf } from './split-edits.js';
import { letterOf } from './split-words.js';
import type { SplitWork } from './use-split.js';

const CHECKED = { said: 'true', unmentioned: 'mixed', unsaid: 'false' } as const satisfies Record<Saying, string>;
const WORDS: Readonly<Record<Saying, string>> = { said: '', unmentioned: ', no word of its column', unsaid: '' };
const SIGNS: Readonly<Record<Saying, string>> = { said: '✓', unmentioned: '–', unsaid: '' };

interface ClauseTableProps {
  readonly task: SplitTask;
  readonly work: SplitWork;
  /** True if the digits are the clauses'. */
  readonly hasDigits: boolean;
}

/** Which sub-sentence says which clause of the gold: a row per clause, a column per sub-sentence. */
export function ClauseTable({ task: { clauses }, work, hasDigits }: ClauseTableProps) {
  const { segments, current } = work;
  return (
    <div class="scroller" role="group" tabIndex={0} aria-label="Clauses by sub-sentence">
      <table class="said-table">
        <thead>
          <tr>
            <th scope="col">Clause of the gold query</th>
            {segments.map((_, at) => (
              <th key={at} scope="col" class={at === current ? 'current' : ''}>
                {letterOf(at)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {clauses.map((text, clause) => (
            <ClauseRow key={clause} text={text} clause={clause} work={work} hasDigit={hasDigits && clause < 10} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ClauseRowProps {
  readonly text: string;
  readonly clause: number;
  readonly work: SplitWork;
  readonly hasDigit: boolean;
}

function ClauseRow({ text, clause, work, hasDigit }: ClauseRowProps) {
  const { segments, current } = work;
  const isUnsaid = segments.every((segment) => sayingOf(segment, clause) === 'unsaid');
  return (
    <tr>
      <th scope="row">
        <span class="slot">{hasDigit && <KeyCap name={String((clause + 1) % 10)} />}</span>
        <code>{text}</code>
        {isUnsaid && <span class="sub">said nowhere</span>}
      </th>
      {segments.map((segment, at) => (
        <td key={at} class={at === current ? 'current' : ''}>
          <Cell text={text} clause={clause} at={at} saying={sayingOf(segment, clause)} work={work} />
        </td>
      ))}
    </tr>
  );
}

interface CellProps {
  readonly text: string;
  readonly clause: number;
  readonly at: number;
  readonly saying: Saying;
  readonly work: SplitWork;
}

function Cell({ text, clause, at, saying, work }: CellProps) {
  const { segments, current, cursor, setCursor, stepClause } = work;
  const isHere = at === current && clause === (cursor.clause ?? 0);
  // The sub-sentence that the cursor is in keeps its token.
  const here = (): void => setCursor({ token: at === current ? cursor.token : (segments[at]?.first ?? 0), clause });
  return (
    <span
      role="checkbox"
      class="saying"
      aria-checked={CHECKED[saying]}
      aria-label={`${letterOf(at)} says ${text}${WORDS[saying]}`}
      data-cell={`${at},${clause}`}
      tabIndex={isHere ? 0 : -1}
      onFocus={here}
      onClick={() => {
        here();
        stepClause(at, clause);
      }}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        stepClause(at, clause);
      }}
    >
      {SIGNS[saying]}
    </span>
  );
}
