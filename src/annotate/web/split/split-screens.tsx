import type { Answer, SplitTask, StoredAnswer } from '../../annotation.js';
import { Flag } from '../parts/marks.js';
import { KeyCap } from '../parts/action-button.js';
import { STATE_WORDS } from '../words.js';
import { letterOf, type SaidSegment, saidSegments, segmentsOf } from './split-edits.js';
import type { ItemToReview, OpenedItem, ReviewedItem } from '../../api-shapes.js';
import { EMPTY_ANSWER } from '../answer-edits.js';
import { useDesk } from '../desk.js';
import { focusOn, useKeys } from '../use-keys.js';
import { AnswersHead, Comments } from '../parts/others-answers.js';
import { ItemFrame } from '../parts/item-frame.js';
import { KeptVersions } from '../parts/versions.js';
import { OwnWords, ownWordsKeys } from '../parts/own-words.js';
import { useReview, useWork } from '../use-item.js';
import type { StepWords } from '../use-steps.js';
import { SplitEditor } from './split-editor.js';
import { useSplit } from './use-split.js';

interface SplitVotesProps {
  readonly task: SplitTask;
  readonly answers: readonly StoredAnswer[];
  readonly onAdopt: (index: number) => void;
}

const keyOf = (segment: SaidSegment): string => JSON.stringify(segment);

/** The answers of annotators next to one another; what not all of them have is marked. */
function SplitVotes({ task, answers, onAdopt }: SplitVotesProps) {
  const all = answers.map((answer) => saidSegments(task, answer));
  const isShared = (segment: SaidSegment): boolean =>
    all.every((own) => own.some((other) => keyOf(other) === keyOf(segment)));
  return (
    <div class="versions split-votes">
      {answers.map((answer, index) => (
        <div class="version" key={answer.annotator}>
          <h3>
            {answer.annotator} {answer.flagged && <Flag />}
          </h3>
          <p class="section-head">
            <span class={`state ${answer.state}`}>{STATE_WORDS[answer.state]}</span>
            <button type="button" class="quiet" onClick={() => onAdopt(index)}>
              Adopt <span class="hidden">{answer.annotator}</span> {index < 9 && <KeyCap name={String(index + 1)} />}
            </button>
          </p>
          <ol class="said-list">
            {(all[index] ?? []).map((segment, at) => (
              <li key={at} class={isShared(segment) ? '' : 'differs'}>
                <span class="letter">{letterOf(at)}</span> {segment.text}
                <span class="sub">{segment.says.length === 0 ? 'says no clause' : segment.says.join(' · ')}</span>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </div>
  );
}

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
  const { item, context, position, conflicts } = opened;
  const { keymap } = useDesk();
  const start = { ...EMPTY_ANSWER, accepted: task.proposal };
  const frame = useWork(opened, position, chunk, { called: task.example, start, words: WORDS });
  const { edited, steps } = frame;
  const work = useSplit(task, edited);
  const extra = { write: () => focusOn('#extra'), digit: work.digit };
  useKeys({ ...steps, ...ownWordsKeys(item, edited), ...work.keys, ...extra }, keymap);
  return (
    <ItemFrame {...frame}>
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

/** Answers to one question next to one another, and the reviewer's decision. */
export function SplitAdjudication({ reviewed, task, rows }: SplitAdjudicationProps) {
  const { item, context, answers } = reviewed;
  const { keymap } = useDesk();
  const { work: frame, row } = useReview(reviewed, rows, { called: task.example, words: WORDS });
  const { edited, steps } = frame;
  const { answer, edit } = edited;
  const work = useSplit(task, edited);
  const adopt = (index: number): void => {
    const source = answers[index];
    if (source !== undefined) edit({ ...answer, state: 'draft', accepted: source.accepted }, 'split');
  };
  const extra = { write: () => focusOn('#extra'), digit: adopt };
  useKeys({ ...work.keys, ...steps, ...ownWordsKeys(item, edited), ...extra }, keymap);
  return (
    <ItemFrame {...frame}>
      <AnswersHead row={row} />
      <SplitVotes task={task} answers={answers} onAdopt={adopt} />
      <Comments answers={answers} />
      <SplitEditor task={task} context={context} work={work} title="Decision" titleId="decision" hasDigits={false} />
      <OwnWords item={item} edited={edited} own={[]} onLeave={work.focus} />
    </ItemFrame>
  );
}
