import { useState } from 'preact/hooks';
import { withNames } from '../answer-edits.js';
import type { ItemToReview, ReviewedItem } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { ActionButton } from '../parts/action-button.js';
import { Comments } from '../parts/comments.js';
import { ItemFrame } from '../parts/item-frame.js';
import { OwnWords, ownWordsKeys } from '../parts/own-words.js';
import { AnswersHead } from '../parts/answers-head.js';
import { Votes } from '../parts/votes.js';
import { Waiting } from '../parts/waiting.js';
import { SplitAdjudication } from '../split/split-screens.js';
import { useReview } from '../use-item.js';
import { useKeys } from '../use-keys.js';
import { useLoaded } from '../use-loaded.js';
import { useNameKeys } from '../use-name-keys.js';
import { majorityOf, unionOf, voteTableOf } from '../vote-table.js';

/** Answers to one column side by side, and the reviewer's decision. */
export function AdjudicateScreen({ id }: { readonly id: string }) {
  const { api } = useDesk();
  const rows = useLoaded('reviews', api.reviews);
  const reviewed = useLoaded(id, () => api.review(id));
  if (reviewed.value === null || rows.value === null) {
    return <Waiting away={reviewed.away || rows.away} error={reviewed.error ?? rows.error} />;
  }
  const { split } = reviewed.value.item;
  return (
    <div class="work">
      {split === undefined ? (
        <Adjudication key={id} reviewed={reviewed.value} rows={rows.value} />
      ) : (
        <SplitAdjudication key={id} reviewed={reviewed.value} task={split} rows={rows.value} />
      )}
    </div>
  );
}

interface AdjudicationProps {
  readonly reviewed: ItemToReview;
  readonly rows: readonly ReviewedItem[];
}

function Adjudication({ reviewed, rows }: AdjudicationProps) {
  const { item, answers, goesWith } = reviewed;
  const { keymap } = useDesk();
  const { work, row } = useReview(reviewed, rows, { called: item.column });
  const { edited, steps } = work;
  const { answer, edit } = edited;
  const [whole, setWhole] = useState(false);
  const table = voteTableOf(item, answers);
  const names = [...table.taken, ...(whole ? table.rest : [])];
  const listed = names.map(({ name }) => name);
  const chosen = [...answer.accepted, ...answer.written];
  const put = (wanted: readonly string[]): void => edit(withNames(answer, item, wanted), 'names');
  const list = useNameKeys(listed, (name) =>
    put(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name]),
  );
  const adopt = (index: number): void => {
    const source = answers[index];
    if (source !== undefined) put([...source.accepted, ...source.written]);
  };
  const merge = {
    majority: () => put(majorityOf(table)),
    union: () => put(unionOf(table)),
    rest: () => setWhole(!whole),
  };
  useKeys({ ...list.keys, ...steps, ...ownWordsKeys(item, edited), ...merge, digit: adopt }, keymap);
  return (
    <ItemFrame {...work}>
      <AnswersHead row={row} />
      <Votes names={names} answers={answers} goesWith={goesWith} chosen={chosen} list={list} onAdopt={adopt} />
      <MergeButtons merge={merge} untaken={table.rest.length} whole={whole} />
      <Comments answers={answers} />
      <OwnWords
        item={item}
        edited={edited}
        own={answer.written.filter((name) => !listed.includes(name))}
        onLeave={list.focus}
      />
    </ItemFrame>
  );
}

interface MergeButtonsProps {
  readonly merge: Readonly<Record<'majority' | 'union' | 'rest', () => void>>;
  /** Names of the list that nobody took. */
  readonly untaken: number;
  /** True if these are shown. */
  readonly whole: boolean;
}

function MergeButtons({ merge, untaken, whole }: MergeButtonsProps) {
  return (
    <div class="row">
      <ActionButton action="majority" onClick={merge.majority}>
        Merge majority
      </ActionButton>
      <ActionButton action="union" onClick={merge.union}>
        Merge all
      </ActionButton>
      {untaken > 0 && (
        <ActionButton action="rest" look="quiet" pressed={whole} onClick={merge.rest}>
          {untaken} nobody took
        </ActionButton>
      )}
    </div>
  );
}
