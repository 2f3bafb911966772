import type { ListedItem } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { Flag } from '../parts/flag.js';
import { Heading } from '../parts/heading.js';
import { Key } from '../parts/key.js';
import { Waiting } from '../parts/waiting.js';
import { hrefOf } from '../route.js';
import { STATE_WORDS } from '../state-words.js';
import { useChunkRows } from '../use-chunk-rows.js';
import { useKeys } from '../use-keys.js';

/** The columns of a chunk, and where to go on. */
export function ChunkScreen({ chunk }: { readonly chunk: number }) {
  const { value: rows, away, error } = useChunkRows(chunk);
  return (
    <div class="page">
      <Heading title={`Chunk ${chunk}`} />
      {rows === null ? <Waiting away={away} error={error} /> : <Rows chunk={chunk} rows={rows} />}
    </div>
  );
}

function Rows({ chunk, rows }: { readonly chunk: number; readonly rows: readonly ListedItem[] }) {
  const { keymap } = useDesk();
  const isOpen = ({ state }: ListedItem): boolean => state === null || state === 'draft';
  const target = rows.find(isOpen) ?? rows[0];
  const open = rows.filter(isOpen).length;
  const go = (row: ListedItem): string => hrefOf({ screen: 'work', chunk, id: row.id });
  useKeys(target === undefined ? {} : { accept: () => (location.hash = go(target)) }, keymap);
  if (target === undefined) return <p>This chunk is empty.</p>;
  return (
    <>
      <p class="lede">
        {open === 0 ? 'All is handed in. Thank you!' : `${open} of ${rows.length} columns are open.`}{' '}
        <a class="button primary" href={go(target)}>
          {open === 0 ? 'Look again' : 'Go on'} <Key action="accept" keymap={keymap} />
        </a>
      </p>
      <ol class="rows">
        {rows.map((row) => (
          <li key={row.id}>
            <a href={go(row)}>
              <span class="name">{row.column}</span>{' '}
              <span class="soft">
                in {row.table}, {row.dbId}
              </span>
            </a>
            <span class={`state ${row.state ?? 'open'}`}>{STATE_WORDS[row.state ?? 'open']}</span>
            {row.flagged && <Flag />}
          </li>
        ))}
      </ol>
    </>
  );
}
