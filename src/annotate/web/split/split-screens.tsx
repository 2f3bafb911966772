import type { Answer, SplitTask } from '../../annotation.js';
import type { ItemToReview, OpenedItem, ReviewedItem } from '../../api-shapes.js';
import { EMPTY_ANSWER } from '../answer-edits.js';
import { itemKey, reviewKey, useDesk } from '../desk.js';
import { focusOn } from '../focus-on.js';
import { Comments } from '../parts/comments.js';
import { ItemFrame } from '../parts/item-frame.js';
import { KeptVersions } from '../parts/kept-versions.js';
import { OwnWords, ownWordsKeys } from '../parts/own-words.js';
import { percent } from '../percent.js';
import { hrefOf } from '../route.js';
import { useAnswer } from '../use-answer.js';
import { useKeys } from '../use-keys.js';
import { type StepWords, useSteps } from '../use-steps.js';
import { SplitEditor } from './split-editor.js';
import { segmentsOf } from './split-edits.js';
import { SplitVotes } from './split-votes.js';
import { useSplit } from './use-split.js';

/** How steps speak of a split question. */
const WORDS: StepWords = {
  nothing: ({ none }) => `Nothing is split or said. Press ${none} if the question says no clause.`,
  chosen: 'Something is said already. Take it back first if the question says no clause.',
  answer: (answer: Answer) => {
    const count = segmentsOf(answer).length;
    return count === 1 ? '1 sub-sentence' : `${count} sub-sentences`;
  },
};

interface SplitWorkProps {
  readonly opened: OpenedItem;
  readonly task: SplitTask;
  readonly chunk: number;
}

/** A question of a chunk: its proposal corrected by an annotator. */
export function SplitWork({ opened, task, chunk }: SplitWorkProps) {
  const { item, context, position, conflicts, answer: loaded } = opened;
  const { keymap } = useDesk();
  const placeOf = (id: string): string => hrefOf({ screen: 'work', chunk, id });
  const proposed = { ...EMPTY_ANSWER, accepted: task.proposal };
  const edited = useAnswer(itemKey(item.id), placeOf(item.id), loaded, proposed);
  const steps = useSteps(edited, {
    column: task.example,
    verb: 'Handed in',
    next: position.next === null ? hrefOf({ screen: 'chunk', chunk }) : placeOf(position.next),
    previous: position.previous === null ? null : placeOf(position.previous),
    words: WORDS,
  });
  const work = useSplit(task, edited);
  const extra = { write: () => focusOn('#extra'), digit: work.digit };
  useKeys({ ...steps, ...ownWordsKeys(item, edited), ...work.keys, ...extra }, keymap);
  return (
    <ItemFrame
      item={item}
      context={context}
      place={`${position.index + 1} of ${position.of}`}
      edited={edited}
      steps={steps}
      hasPrevious={position.previous !== null}
      accept="Hand in"
    >
      <SplitEditor task={task} context={context} work={work} title="Sub-sentences" titleId="names" hasDigits={true} />
      <OwnWords item={item} edited={edited} own={[]} onLeave={work.focus} />
      <KeptVersions
        item={item}
        versions={conflicts}
        onTake={(version) => edited.edit({ ...version, state: 'draft' }, 'split')}
      />
    </ItemFrame>
  );
}

interface SplitAdjudicationProps {
  readonly reviewed: ItemToReview;
  readonly task: SplitTask;
  readonly rows: readonly ReviewedItem[];
}

function placeOf(row: ReviewedItem | undefined): string {
  return hrefOf(row === undefined ? { screen: 'review' } : { screen: 'adjudicate', id: row.itemId });
}

/** The reviewer's decision being worked on, and the steps from question to question. */
function useDecision({ reviewed: { item, answers, adjudication }, task, rows }: SplitAdjudicationProps) {
  const { keymap } = useDesk();
  const at = rows.findIndex(({ itemId }) => itemId === item.id);
  const edited = useAnswer(reviewKey(item.id), hrefOf({ screen: 'adjudicate', id: item.id }), adjudication);
  const { answer, edit } = edited;
  const steps = useSteps(edited, {
    column: task.example,
    verb: 'Decided',
    next: placeOf(rows[at + 1]),
    previous: at > 0 ? placeOf(rows[at - 1]) : null,
    words: WORDS,
  });
  const work = useSplit(task, edited);
  const adopt = (index: number): void => {
    const source = answers[index];
    if (source !== undefined) edit({ ...answer, state: 'draft', accepted: source.accepted }, 'split');
  };
  const extra = { write: () => focusOn('#extra'), digit: adopt };
  useKeys({ ...work.keys, ...steps, ...ownWordsKeys(item, edited), ...extra }, keymap);
  return { at, edited, steps, work, adopt };
}

/** Answers to one question next to one another, and the reviewer's decision. */
export function SplitAdjudication(props: SplitAdjudicationProps) {
  const { reviewed, task, rows } = props;
  const { item, context, answers } = reviewed;
  const { at, edited, steps, work, adopt } = useDecision(props);
  const row = rows[at];
  return (
    <ItemFrame
      item={item}
      context={context}
      place={row === undefined ? '' : `${at + 1} of ${rows.length}`}
      edited={edited}
      steps={steps}
      hasPrevious={at > 0}
      accept="Decide"
    >
      <div class="section-head">
        <h2 id="names">Answers, side by side</h2>
        {row !== undefined && <span class="count">{percent(row.disagreement)} disagreement</span>}
      </div>
      <SplitVotes task={task} answers={answers} onAdopt={adopt} />
      <Comments answers={answers} />
      <SplitEditor task={task} context={context} work={work} title="Decision" titleId="decision" hasDigits={false} />
      <OwnWords item={item} edited={edited} own={[]} onLeave={work.focus} />
    </ItemFrame>
  );
}
