import type { ListedItem, OpenedItem } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { itemNoun, KINDS, STATE_WORDS } from '../words.js';
import { hrefOf } from '../route.js';
import type { AnnotationItem, Answer, CandidateScores } from '../../annotation.js';
import { hardestFirst, hardRows, hasDifficulty, positionAmong } from '../difficulty-order.js';
import { ONLY_HARD, useKeptFlag } from '../use-kept-flag.js';
import { useState } from 'preact/hooks';
import { countInWords, toggleName } from '../answer-edits.js';
import { ActionButton } from '../parts/action-button.js';
import { CandidateList } from '../parts/candidate-list.js';
import { ItemFrame } from '../parts/item-frame.js';
import { KeptVersions } from '../parts/versions.js';
import { OwnWords, ownWordsKeys } from '../parts/own-words.js';
import { Waiting } from '../parts/screen-parts.js';
import { SplitWork } from '../split/split-screens.js';
import { useChunkRows } from '../use-chunk-rows.js';
import { useWork } from '../use-item.js';
import { useKeys, useNameKeys } from '../use-keys.js';
import { useLoaded } from '../use-loaded.js';

interface StripProps {
  readonly chunk: number;
  readonly rows: readonly ListedItem[];
  readonly current: string;
}

/** The columns or questions of a chunk as a strip: where one is, and what is left. */
function Strip({ chunk, rows, current }: StripProps) {
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

/**
 * The names as listed, or from hard to easy where that was asked for, on whatever column; `flip` turns to the other
 * order, and is null where the names have no difficulty.
 */
function useNameOrder({ candidates }: AnnotationItem) {
  const { say } = useDesk();
  const [isOn, flip] = useKeptFlag('hardest-first');
  if (!hasDifficulty(candidates)) return { candidates, isHardestFirst: false, flip: null };
  return {
    candidates: isOn ? hardestFirst(candidates) : candidates,
    isHardestFirst: isOn,
    flip: () => {
      flip();
      say(isOn ? 'Names are as listed.' : 'The hardest names come first.');
    },
  };
}

/** Scores by name, hidden until asked for: they would lead the annotator (issue 7). */
function useScores(id: string): {
  readonly shown: ReadonlyMap<string, CandidateScores> | null;
  readonly flip: () => void;
} {
  const { api, say } = useDesk();
  const [shown, setShown] = useState<ReadonlyMap<string, CandidateScores> | null>(null);
  function flip(): void {
    if (shown !== null) {
      setShown(null);
      say('Scores are hidden.');
      return;
    }
    api.scores(id).then(
      (scores) => {
        setShown(new Map(scores.map((score) => [score.name, score])));
        say('Scores are shown.');
      },
      (error: Error) => say(`No scores: ${error.message}.`),
    );
  }
  return { shown, flip };
}

interface WorkScreenProps {
  readonly chunk: number;
  readonly id: string;
}

/** One column or question after the other, in the order of a chunk. */
export function WorkScreen({ chunk, id }: WorkScreenProps) {
  const { api } = useDesk();
  const rows = useChunkRows(chunk);
  const opened = useLoaded(id, () => api.item(id));
  const [onlyHard] = useKeptFlag(ONLY_HARD);
  const all = rows.value ?? [];
  const hard = onlyHard ? hardRows(all) : [];
  return (
    <div class="work">
      <Strip chunk={chunk} rows={hard.length > 0 ? hard : all} current={id} />
      {opened.value === null ? (
        <Waiting away={opened.away} error={opened.error} />
      ) : opened.value.item.split === undefined ? (
        <Work key={id} opened={opened.value} chunk={chunk} shown={hard} />
      ) : (
        <SplitWork key={id} opened={opened.value} task={opened.value.item.split} chunk={chunk} />
      )}
    </div>
  );
}

interface WorkProps {
  readonly opened: OpenedItem;
  readonly chunk: number;
  /** The columns that one goes through; empty: all of the chunk. */
  readonly shown: readonly ListedItem[];
}

function Work({ opened, chunk, shown }: WorkProps) {
  const { item, position: whole, conflicts, goesWith } = opened;
  const { keymap } = useDesk();
  const work = useWork(opened, positionAmong(shown, item.id, whole), chunk, { called: item.column });
  const { edited, steps } = work;
  const { answer, edit } = edited;
  const scores = useScores(item.id);
  const order = useNameOrder(item);
  const names = order.candidates.map(({ name }) => name);
  const list = useNameKeys(names, (name) => edit(toggleName(answer, item, name), 'names'));
  const sorting = order.flip === null ? {} : { difficulty: order.flip };
  useKeys({ ...steps, ...ownWordsKeys(item, edited), ...list.keys, ...sorting, scores: scores.flip }, keymap);
  const listButtons = (
    <>
      {order.flip !== null && (
        <ActionButton action="difficulty" look="quiet" pressed={order.isHardestFirst} onClick={order.flip}>
          Hardest first
        </ActionButton>
      )}
      <ActionButton action="scores" look="quiet" pressed={scores.shown !== null} onClick={scores.flip}>
        Scores
      </ActionButton>
    </>
  );
  return (
    <ItemFrame {...work} moreSteps={listButtons}>
      <Task item={item} answer={answer} />
      <CandidateList
        candidates={order.candidates}
        taken={answer.accepted}
        scores={scores.shown}
        list={list}
        label={`Names for ${item.column}`}
        goesWith={goesWith}
        origins={true}
        difficulties={order.isHardestFirst}
      />
      <OwnWords item={item} edited={edited} own={answer.written} onLeave={list.focus} />
      <KeptVersions
        item={item}
        versions={conflicts}
        onTake={(version) => edit({ ...version, state: 'draft' }, 'names')}
      />
    </ItemFrame>
  );
}

/** Renders the question, and the number of names chosen. */
function Task({ item, answer }: { readonly item: AnnotationItem; readonly answer: Answer }) {
  const { me } = useDesk();
  const { meaning, task } = KINDS[item.kind];
  const { text, fits } = countInWords(answer, item.kind, me.project);
  return (
    <>
      <div class="section-head">
        <h2 id="names">Names</h2>
        <span class={fits ? 'count fits' : 'count'} role="status">
          {text}
        </span>
      </div>
      <p class="soft" id="task">
        {meaning} {task(me.project.minAdd, me.project.maxAdd)}
      </p>
    </>
  );
}
