import { useState } from 'preact/hooks';
import { elementAt } from '../../../present.js';
import { withNames } from '../answer-edits.js';
import type { ItemToReview, ReviewedItem } from '../../api-shapes.js';
import { reviewKey, useDesk } from '../desk.js';
import { ActionButton } from '../parts/action-button.js';
import { Comments } from '../parts/comments.js';
import { ItemFrame } from '../parts/item-frame.js';
import { OwnWords, ownWordsKeys } from '../parts/own-words.js';
import { Votes } from '../parts/votes.js';
import { Waiting } from '../parts/waiting.js';
import { percent } from '../percent.js';
import { hrefOf } from '../route.js';
import { SplitAdjudication } from '../split/split-screens.js';
import { useAnswer } from '../use-answer.js';
import { useKeys } from '../use-keys.js';
import { useLoaded } from '../use-loaded.js';
import { useNameKeys } from '../use-name-keys.js';
import { useSteps } from '../use-steps.js';
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

function Adjudication({ reviewed: { item, context, answers, adjudication }, rows }: AdjudicationProps) {
  const { keymap } = useDesk();
  const at = rows.findIndex(({ itemId }) => itemId === item.id);
  const edited = useAnswer(reviewKey(item.id), hrefOf({ screen: 'adjudicate', id: item.id }), adjudication);
  const { answer, edit } = edited;
  const steps = useSteps(edited, {
    column: item.column,
    verb: 'Decided',
    next: placeOf(rows[at + 1]),
    previous: at > 0 ? placeOf(rows[at - 1]) : null,
  });
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
    <ItemFrame
      item={item}
      context={context}
      place={at < 0 ? '' : `${at + 1} of ${rows.length}`}
      edited={edited}
      steps={steps}
      hasPrevious={at > 0}
      accept="Decide"
    >
      <div class="section-head">
        <h2 id="names">Answers, side by side</h2>
        {at >= 0 && <span class="count">{percent(elementAt(rows, at).disagreement)} disagreement</span>}
      </div>
      <Votes names={names} answers={answers} chosen={chosen} list={list} onAdopt={adopt} />
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

function placeOf(row: ReviewedItem | undefined): string {
  return hrefOf(row === undefined ? { screen: 'review' } : { screen: 'adjudicate', id: row.itemId });
}

interface MergeButtonsProps {
  readonly merge: Readonly<Record<'majority' | 'union' | 'rest', () => void>>;
  /** Names of the list that nobody took. */
  readonly untaken: number;
  /** Whether these are shown. */
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
