import type { ListedItem } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { itemNoun } from '../item-words.js';
import { hrefOf } from '../route.js';
import { STATE_WORDS } from '../state-words.js';

interface StripProps {
  readonly chunk: number;
  readonly rows: readonly ListedItem[];
  readonly current: string;
}

/** The columns or questions of a chunk as a strip: where one is, and what is left. */
export function Strip({ chunk, rows, current }: StripProps) {
  const { me } = useDesk();
  const handedIn = rows.filter(({ state }) => state === 'done' || state === 'skipped').length;
  return (
    <div class="strip">
      <a href={hrefOf({ screen: 'chunk', chunk })}>Chunk {chunk}</a>
      <div
        class="steps"
        role="img"
        aria-label={`${handedIn} of ${rows.length} ${itemNoun(me).many} of this chunk are handed in`}
      >
        {rows.map(({ id, state }) => (
          <span
            key={id}
            class={`${state ?? 'open'}${id === current ? ' here' : ''}`}
            title={STATE_WORDS[state ?? 'open']}
          />
        ))}
      </div>
      <span class="figure">
        {handedIn}/{rows.length}
      </span>
    </div>
  );
}
