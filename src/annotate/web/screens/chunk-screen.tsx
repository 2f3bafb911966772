import type { ListedItem } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { hardRows } from '../difficulty-order.js';
import { ActionButton, Key } from '../parts/action-button.js';
import { Flag } from '../parts/marks.js';
import { Heading, Waiting } from '../parts/screen-parts.js';
import { itemNoun, placeInWords, STATE_WORDS } from '../words.js';
import { chunkAfter } from '../open-chunks.js';
import { hrefOf } from '../route.js';
import { useChunkRows } from '../use-chunk-rows.js';
import { ONLY_HARD, useKeptFlag } from '../use-kept-flag.js';
import { useKeys } from '../use-keys.js';
import { useLoaded } from '../use-loaded.js';

/** The columns or questions of a chunk, and where to go on. */
export function ChunkScreen({ chunk }: { readonly chunk: number }) {
  const { value: rows, away, error } = useChunkRows(chunk);
  return (
    <div class="page">
      <Heading title={`Chunk ${chunk}`} />
      {rows === null ? <Waiting away={away} error={error} /> : <Rows chunk={chunk} rows={rows} />}
    </div>
  );
}

function Rows({ chunk, rows: all }: { readonly chunk: number; readonly rows: readonly ListedItem[] }) {
  const { keymap, me } = useDesk();
  const [onlyHard, flip] = useKeptFlag(ONLY_HARD);
  const hard = hardRows(all);
  const rows = onlyHard && hard.length > 0 ? hard : all;
  useKeys(hard.length === 0 ? {} : { difficulty: flip }, keymap);
  const isOpen = ({ state }: ListedItem): boolean => state === null || state === 'draft';
  const open = rows.filter(isOpen);
  const go = (row: ListedItem): string => hrefOf({ screen: 'work', chunk, id: row.id });
  const [first] = rows;
  if (first === undefined) return <p>This chunk is empty.</p>;
  return (
    <>
      {open[0] === undefined ? (
        <Finished chunk={chunk} again={go(first)} />
      ) : (
        <p class="lede">
          {open.length} of {rows.length} {itemNoun(me).many} are open. <OnwardLink label="Go on" href={go(open[0])} />
        </p>
      )}
      {hard.length > 0 && (
        <div class="row filters" role="group" aria-label={`Which ${itemNoun(me).many}`}>
          <ActionButton action="difficulty" look="chip" pressed={onlyHard} onClick={flip}>
            Harder half <span class="figure">{hard.length}</span>
          </ActionButton>
        </div>
      )}
      <ol class="rows">
        {rows.map((row) => (
          <li key={row.id}>
            <a href={go(row)}>
              <span class="name">{row.column}</span> <span class="soft">{placeInWords(row)}</span>
            </a>
            {row.difficulty !== null && <span class="difficulty">difficulty {row.difficulty.toFixed(2)}</span>}
            <span class={`state ${row.state ?? 'open'}`}>{STATE_WORDS[row.state ?? 'open']}</span>
            {row.flagged && <Flag />}
          </li>
        ))}
      </ol>
    </>
  );
}

/** The end of a chunk: the key that hands in leads on, never back into what is finished. */
function Finished({ chunk, again }: { readonly chunk: number; readonly again: string }) {
  const { api } = useDesk();
  const { value: chunks } = useLoaded('chunks', api.chunks);
  const next = chunks === null ? undefined : chunkAfter(chunks, chunk);
  return (
    <p class="lede">
      All is handed in. Thank you!
      {chunks !== null &&
        (next === undefined ? (
          <OnwardLink label="Overview" href={hrefOf({ screen: 'home' })} />
        ) : (
          <OnwardLink label="Next chunk" href={hrefOf({ screen: 'chunk', chunk: next })} />
        ))}
      <a class="button" href={again}>
        Look again
      </a>
    </p>
  );
}

/** Where the screen leads on to, with the key that does so. */
function OnwardLink({ label, href }: { readonly label: string; readonly href: string }) {
  const { keymap } = useDesk();
  useKeys({ accept: () => (location.hash = href) }, keymap);
  return (
    <a class="button primary" href={href} aria-keyshortcuts={keymap.accept}>
      {label} <Key action="accept" keymap={keymap} />
    </a>
  );
}
