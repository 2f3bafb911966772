import type { SplitTask } from '../../annotation.js';
import { segmentAt } from './split-edits.js';
import { letterOf } from './split-words.js';
import type { SplitWork } from './use-split.js';

/** Colors that sub-sentences take in turn. */
const COLORS = 6;

interface TokenLineProps {
  readonly task: SplitTask;
  readonly work: SplitWork;
}

/** The question in blocks; a chosen one begins a sub-sentence. */
export function TokenLine({ task: { question, tokens }, work }: TokenLineProps) {
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
