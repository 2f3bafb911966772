import { useState } from 'preact/hooks';
import type { ItemContext } from '../../annotation.js';
import { useDesk } from '../desk.js';
import { leaveOnEscape } from '../leave-on-escape.js';
import { Key } from '../parts/key.js';
import { letterOf } from './split-words.js';
import type { SplitWork } from './use-split.js';

interface ExtraColumnsProps {
  readonly columns: ItemContext['columns'];
  readonly work: SplitWork;
}

/** Columns that a sub-sentence mentions and that fit no clause of its own: `extra` (Spider-SS §2.2). */
export function ExtraColumns({ columns, work }: ExtraColumnsProps) {
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
