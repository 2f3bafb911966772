import type { ItemContext, SplitTask } from '../../annotation.js';
import { Key, KeyCap } from '../parts/action-button.js';
import { letterOf, saidCount, type Saying, sayingOf, segmentAt } from './split-edits.js';
import type { SplitWork } from './use-split.js';
import { useState } from 'preact/hooks';
import { useDesk } from '../desk.js';
import { leaveOnEscape } from '../use-keys.js';

const CHECKED = { said: 'true', unmentioned: 'mixed', unsaid: 'false' } as const satisfies Record<Saying, string>;
const WORDS: Readonly<Record<Saying, string>> = { said: '', unmentioned: ', no word of its column', unsaid: '' };
const SIGNS: Readonly<Record<Saying, string>> = { said: '✓', unmentioned: '–', unsaid: '' };

type ClauseTableProps = Pick<SplitEditorProps, 'task' | 'work' | 'hasDigits'>;

/** Which sub-sentence says which clause of the gold: a row per clause, a column per sub-sentence. */
function ClauseTable({ task: { clauses }, work, hasDigits }: ClauseTableProps) {
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

interface CellProps extends Omit<ClauseRowProps, 'hasDigit'> {
  readonly at: number;
  readonly saying: Saying;
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

interface ExtraColumnsProps {
  readonly columns: ItemContext['columns'];
  readonly work: SplitWork;
}

/** Columns that a sub-sentence mentions and that fit no clause of its own: `extra` (Spider-SS §2.2). */
function ExtraColumns({ columns, work }: ExtraColumnsProps) {
  const { keymap, say } = useDesk();
  const [text, setText] = useState('');
  const { segments, current, toggleExtra, focus } = work;
  function add(event: Event): void {
    event.preventDefault();
    const wanted = text.trim().toLowerCase();
    const column = columns.find(({ originalName }) => originalName.toLowerCase() === wanted);
    if (column === undefined) return say('There is no such column: choose one of the list.');
    if (segments[current]?.extra.includes(column.originalName) !== true) toggleExtra(current, column.originalName);
    setText('');
  }
  return (
    <div class="written">
      <label for="extra">
        Extra column of {letterOf(current)}: mentioned there, of no clause of its own{' '}
        <Key action="write" keymap={keymap} />
      </label>
      <form onSubmit={add}>
        <input
          id="extra"
          list="columns"
          autocomplete="off"
          maxLength={200}
          value={text}
          aria-keyshortcuts={keymap.write}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={leaveOnEscape(focus)}
        />
        <datalist id="columns">
          {columns.map(({ originalName, name }) => (
            <option key={originalName} value={originalName}>
              {name}
            </option>
          ))}
        </datalist>
        <button type="submit">Add</button>
      </form>
      <ExtraList work={work} />
    </div>
  );
}

function ExtraList({ work: { segments, toggleExtra } }: { readonly work: SplitWork }) {
  return (
    <ul class="own">
      {segments.flatMap(({ extra }, at) =>
        extra.map((column) => (
          <li key={`${at} ${column}`}>
            <span class="letter">{letterOf(at)}</span> <span class="name">extra {column}</span>
            <button type="button" class="quiet" onClick={() => toggleExtra(at, column)}>
              Remove <span class="hidden">{column}</span>
            </button>
          </li>
        )),
      )}
    </ul>
  );
}

/** Colors that sub-sentences take in turn. */
const COLORS = 6;

interface TokenLineProps {
  readonly task: SplitTask;
  readonly work: SplitWork;
}

/** The question in blocks; a chosen one begins a sub-sentence. */
function TokenLine({ task: { question, tokens }, work }: TokenLineProps) {
  function onKey(event: KeyboardEvent): void {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : null;
    const isMove = event.shiftKey && by !== null;
    if (event.key !== ' ' && !isMove) return;
    event.preventDefault();
    if (isMove) work.moveBreak(by);
    else work.toggleBreak(work.cursor.token);
  }
  return (
    <ul
      class="tokens"
      role="listbox"
      aria-multiselectable="true"
      aria-orientation="horizontal"
      aria-label="Words of the question; a chosen one begins a sub-sentence"
      aria-describedby="task"
      onKeyDown={onKey}
    >
      {tokens.map(({ start, end }, token) => (
        <Token key={token} text={question.slice(start, end)} token={token} work={work} />
      ))}
    </ul>
  );
}

interface TokenProps {
  readonly text: string;
  readonly token: number;
  readonly work: SplitWork;
}

function Token({ text, token, work }: TokenProps) {
  const { segments, cursor, current, setCursor, toggleBreak } = work;
  const segment = segmentAt(segments, token);
  const begins = segments[segment]?.first === token;
  const look = ['token', `part-${segment % COLORS}`, begins ? 'begins' : '', segment === current ? 'current' : ''];
  return (
    <li
      role="option"
      class={look.filter((name) => name !== '').join(' ')}
      aria-selected={begins}
      data-token={token}
      tabIndex={token === cursor.token ? 0 : -1}
      onFocus={() => setCursor({ token, clause: null })}
      onClick={() => {
        setCursor({ token, clause: null });
        toggleBreak(token);
      }}
    >
      {begins && (
        <span class="letter" aria-hidden="true">
          {letterOf(segment)}
        </span>
      )}
      <span class="word">{text}</span>
      {begins && <span class="hidden">, begins {letterOf(segment)}</span>}
    </li>
  );
}

interface SplitEditorProps {
  readonly task: SplitTask;
  readonly context: ItemContext;
  readonly work: SplitWork;
  /** The title of the answer: "Sub-sentences". */
  readonly title: string;
  /** Id of the heading. */
  readonly titleId: string;
  /** True if the digits are the clauses'. */
  readonly hasDigits: boolean;
}

/** The question in blocks, what each sub-sentence says, and columns that are extra. */
export function SplitEditor({ task, context, work, title, titleId, hasDigits }: SplitEditorProps) {
  const { segments } = work;
  const all = task.clauses.length;
  const said = saidCount(segments, all);
  return (
    <>
      <div class="section-head">
        <h2 id={titleId}>{title}</h2>
        <span class={said === all ? 'count fits' : 'count'} role="status">
          {segments.length} {segments.length === 1 ? 'sub-sentence' : 'sub-sentences'}, {said} of {all} clauses said
        </span>
      </div>
      <p class="soft" id="task">
        <kbd>←</kbd> <kbd>→</kbd> go from word to word; space, or a click, lets a sub-sentence begin there or not;{' '}
        <kbd>⇧</kbd> with an arrow moves where it begins.
        {hasDigits && ' A digit says its clause in the current sub-sentence;'} <kbd>↑</kbd> <kbd>↓</kbd> and space do so
        in the table. Once more: said, but without a word of its column (–).
      </p>
      <div ref={work.box}>
        <TokenLine task={task} work={work} />
        <ClauseTable task={task} work={work} hasDigits={hasDigits} />
      </div>
      <ExtraColumns columns={context.columns} work={work} />
    </>
  );
}
