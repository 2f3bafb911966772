import type { AnnotationItem, Answer } from '../../annotation.js';
import { countInWords, toggleName } from '../answer-edits.js';
import type { ListedItem, OpenedItem } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { hardRows, positionAmong } from '../difficulty-order.js';
import { KINDS } from '../kind-words.js';
import { ActionButton } from '../parts/action-button.js';
import { CandidateList } from '../parts/candidate-list.js';
import { ItemFrame } from '../parts/item-frame.js';
import { KeptVersions } from '../parts/kept-versions.js';
import { OwnWords, ownWordsKeys } from '../parts/own-words.js';
import { Strip } from '../parts/strip.js';
import { Waiting } from '../parts/waiting.js';
import { SplitWork } from '../split/split-screens.js';
import { useChunkRows } from '../use-chunk-rows.js';
import { ONLY_HARD, useKeptFlag } from '../use-kept-flag.js';
import { useWork } from '../use-item.js';
import { useKeys } from '../use-keys.js';
import { useLoaded } from '../use-loaded.js';
import { useNameKeys } from '../use-name-keys.js';
import { useNameOrder } from '../use-name-order.js';
import { useScores } from '../use-scores.js';

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
