import { useState } from 'preact/hooks';
import type { ReviewedItem } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { Flag } from '../parts/marks.js';
import { Heading, Progress, Waiting } from '../parts/screen-parts.js';
import { Key } from '../parts/action-button.js';
import { itemNoun, percent, placeInWords } from '../words.js';
import { hrefOf } from '../route.js';
import { isToDecide } from '../vote-table.js';
import { useKeys } from '../use-keys.js';
import { useLoaded } from '../use-loaded.js';

/** So many lines are drawn at once. */
const PAGE_LINES = 100;

const SHOWN = {
  open: { label: 'To decide', fits: isToDecide },
  flagged: { label: 'Flagged', fits: (row: ReviewedItem) => row.flagged },
  decided: { label: 'Decided', fits: (row: ReviewedItem) => row.adjudicated },
  all: { label: 'All', fits: () => true },
} as const;
type Shown = keyof typeof SHOWN;

/** Columns or questions with answers; those that a reviewer should see come first. */
export function ReviewScreen() {
  const { api } = useDesk();
  const { value: rows, away, error } = useLoaded('reviews', api.reviews);
  return (
    <div class="page">
      <Heading title="Review" />
      {rows === null ? <Waiting away={away} error={error} /> : <ReviewList rows={rows} />}
    </div>
  );
}

function ReviewList({ rows }: { readonly rows: readonly ReviewedItem[] }) {
  const { keymap, me } = useDesk();
  const [shown, setShown] = useState<Shown>('open');
  const [lines, setLines] = useState(PAGE_LINES);
  const fitting = rows.filter(SHOWN[shown].fits);
  const first = fitting[0];
  useKeys(
    first === undefined ? {} : { accept: () => (location.hash = hrefOf({ screen: 'adjudicate', id: first.itemId })) },
    keymap,
  );
  return (
    <>
      <div class="row filters" role="group" aria-label={`Which ${itemNoun(me).many}`}>
        {(Object.keys(SHOWN) as Shown[]).map((name) => (
          <button key={name} type="button" class="chip" aria-pressed={name === shown} onClick={() => setShown(name)}>
            {SHOWN[name].label} <span class="figure">{rows.filter(SHOWN[name].fits).length}</span>
          </button>
        ))}
        {first !== undefined && (
          <a class="button primary" href={hrefOf({ screen: 'adjudicate', id: first.itemId })}>
            Go on <Key action="accept" keymap={keymap} />
          </a>
        )}
      </div>
      {fitting.length === 0 && <p class="soft">{rows.length === 0 ? 'Nothing is handed in yet.' : 'None.'}</p>}
      <ol class="rows">
        {fitting.slice(0, lines).map((row) => (
          <ReviewLine key={row.itemId} row={row} />
        ))}
      </ol>
      {fitting.length > lines && (
        <button type="button" onClick={() => setLines(lines + PAGE_LINES)}>
          Show more ({fitting.length - lines})
        </button>
      )}
    </>
  );
}

function ReviewLine({ row }: { readonly row: ReviewedItem }) {
  return (
    <li>
      <span class="tag">{row.kind}</span>
      <a href={hrefOf({ screen: 'adjudicate', id: row.itemId })}>
        <span class="name">{row.column}</span> <span class="soft">{placeInWords(row)}</span>
      </a>
      {row.adjudicated && <span class="state done">decided</span>}
      <span class="mark">{row.flagged && <Flag />}</span>
      <span class="meter">
        <Progress done={Math.round(row.disagreement * 100)} of={100} label={`Disagreement on ${row.column}, percent`} />
        <span class="figure">{percent(row.disagreement)}</span>
      </span>
      <span class="answers">
        {row.annotators} {row.annotators === 1 ? 'answer' : 'answers'}
      </span>
    </li>
  );
}
