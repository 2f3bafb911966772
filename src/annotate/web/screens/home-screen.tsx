import { useEffect } from 'preact/hooks';
import { formatCount } from '../../../counts.js';
import { type AnnotationKind, type ChunkProgress, isLocked } from '../../annotation.js';
import type { Me } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { itemNoun, KINDS, percent } from '../words.js';
import { Heading, Progress, Waiting } from '../parts/screen-parts.js';
import { Key } from '../parts/action-button.js';
import { hasWork } from '../open-chunks.js';
import { hrefOf } from '../route.js';
import { useKeys } from '../use-keys.js';
import { useLoaded } from '../use-loaded.js';
import { isToDecide } from '../vote-table.js';

/** Renders the work there is to do, and its progress. */
export function HomeScreen() {
  const { api, keeper, me } = useDesk();
  const { value: chunks, away, error, reload } = useLoaded('chunks', api.chunks);
  useEffect(() => keeper.watch((saved) => saved !== null && reload()), []);
  const locked = isLocked(me.person, me.project.qualification);
  return (
    <div class="page">
      <Heading title={`Good to see you, ${me.person.name}`} />
      <Lede me={me} />
      <UnsavedNotice />
      {locked && <QualificationNotice me={me} />}
      {chunks === null ? <Waiting away={away} error={error} /> : <Chunks chunks={chunks} locked={locked} />}
      <Explanation me={me} />
    </div>
  );
}

function Lede({ me }: { readonly me: Me }) {
  const { done, total, perHour } = me.progress;
  if (me.person.role === 'reviewer') return <ReviewerLede />;
  const { many } = itemNoun(me);
  if (total === 0) return <p class="lede">No {many} are assigned to you yet.</p>;
  const left = total - done;
  const rest =
    perHour === null || perHour === 0 || left === 0
      ? ''
      : ` At your pace of ${formatCount(Math.round(perHour))} an hour, ${timeInWords(left / perHour)} to go.`;
  return (
    <p class="lede">
      {left === 0
        ? `All your ${many} are handed in.`
        : `${formatCount(done)} of your ${formatCount(total)} ${many} are handed in.`}
      {rest}
    </p>
  );
}

function ReviewerLede() {
  const { api, keymap } = useDesk();
  const { value: rows } = useLoaded('reviews', api.reviews);
  const href = hrefOf({ screen: 'review' });
  useKeys({ accept: () => (location.hash = href) }, keymap);
  return (
    <p class="lede">
      You decide where annotators differ, and see how far they <a href={hrefOf({ screen: 'agreement' })}>agree</a>.
      <a class="button primary" href={href} aria-keyshortcuts={keymap.accept}>
        <span>Review{rows !== null && ` · ${formatCount(rows.filter(isToDecide).length)} to decide`}</span>
        <Key action="accept" keymap={keymap} />
      </a>
    </p>
  );
}

function timeInWords(hours: number): string {
  const minutes = Math.max(1, Math.round(hours * 60));
  return minutes < 90 ? `about ${minutes} min` : `about ${Math.round(hours)} hours`;
}

function QualificationNotice({ me }: { readonly me: Me }) {
  const { passMark } = me.project.qualification;
  const { qualification } = me.person;
  return (
    <div class="notice">
      <h2>First, a short round with known answers</h2>
      <p>
        {qualification === null ? '' : `Your last round came to ${percent(qualification)}. `}
        {percent(passMark)} is enough to start. You see at once what the answers are, and why.
      </p>
      <p>
        <a class="button primary" href={hrefOf({ screen: 'qualification' })}>
          Start the round
        </a>
      </p>
    </div>
  );
}

function UnsavedNotice() {
  const { keeper } = useDesk();
  const unsaved = keeper.unsaved().filter(({ state }) => state.kind !== 'saving');
  if (unsaved.length === 0) return null;
  return (
    <div class="notice">
      <h2>Not saved yet</h2>
      <p>These answers are kept in this browser. Open one to see why it could not be saved.</p>
      <ul>
        {unsaved.map(({ key, place }) => (
          <li key={key}>
            <a href={place}>{decodeURIComponent(key.slice(key.indexOf('/') + 1)).replaceAll('/', ' · ')}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Chunks({ chunks, locked }: { readonly chunks: readonly ChunkProgress[]; readonly locked: boolean }) {
  const { keymap, me } = useDesk();
  const next = locked || me.person.role === 'reviewer' ? undefined : chunks.find(hasWork);
  useKeys(
    next === undefined ? {} : { accept: () => (location.hash = hrefOf({ screen: 'chunk', chunk: next.chunk })) },
    keymap,
  );
  if (chunks.length === 0) return null;
  return (
    <section aria-labelledby="chunks">
      <h2 id="chunks">Your chunks</h2>
      <ul class="chunks">
        {chunks.map((chunk) => (
          <ChunkLine key={chunk.chunk} chunk={chunk} locked={locked} isNext={chunk === next} />
        ))}
      </ul>
    </section>
  );
}

interface ChunkLineProps {
  readonly chunk: ChunkProgress;
  readonly locked: boolean;
  /** The one to go on with. */
  readonly isNext: boolean;
}

function ChunkLine({ chunk, locked, isNext }: ChunkLineProps) {
  const { keymap, me } = useDesk();
  const handedIn = chunk.done + chunk.skipped;
  const verb = handedIn === chunk.items ? 'Look again' : handedIn + chunk.drafts === 0 ? 'Start' : 'Continue';
  const title = `Chunk ${chunk.chunk}`;
  return (
    <li>
      <span class="tag">{chunk.kind}</span>
      <h3>{title}</h3>
      <Progress done={handedIn} of={chunk.items} label={`${title}: ${itemNoun(me).many} handed in`} />
      <span class="figure">
        {handedIn} of {chunk.items}
        {chunk.skipped > 0 && `, ${chunk.skipped} skipped`}
        {chunk.drafts > 0 && `, ${chunk.drafts} in draft`}
      </span>
      {locked ? (
        <span class="soft">after the round</span>
      ) : (
        <a class={isNext ? 'button primary' : 'button'} href={hrefOf({ screen: 'chunk', chunk: chunk.chunk })}>
          <span>
            {verb}
            <span class="hidden">: {title}</span>
          </span>
          {isNext && <Key action="accept" keymap={keymap} />}
        </a>
      )}
    </li>
  );
}

function Explanation({ me }: { readonly me: Me }) {
  const { minAdd, maxAdd, kindCounts } = me.project;
  return (
    <section aria-labelledby="kinds">
      <h2 id="kinds">What is asked</h2>
      <dl class="kinds">
        {(Object.keys(KINDS) as AnnotationKind[])
          .filter((kind) => (kindCounts[kind] ?? 0) > 0)
          .map((kind) => (
            <div key={kind}>
              <dt>
                <span class="tag">{kind}</span> {KINDS[kind].title}
              </dt>
              <dd>
                {KINDS[kind].meaning} {KINDS[kind].task(minAdd, maxAdd)} {kindCounts[kind]} in this project.
              </dd>
            </div>
          ))}
      </dl>
      <p class="soft">
        The <a href={hrefOf({ screen: 'guidelines' })}>guidelines</a> say{' '}
        {kindCounts.SPLIT === undefined ? 'when a name is right' : 'where sub-sentences begin'}, with examples. A whole{' '}
        {itemNoun(me).one} can be done with the keyboard alone: keys are shown on the buttons.
      </p>
    </section>
  );
}
