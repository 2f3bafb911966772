import type { GoesWith, StoredAnswer } from '../../annotation.js';
import { GOES_WITH, STATE_WORDS } from '../words.js';
import { type NameKeys, useKeys, useNameKeys } from '../use-keys.js';
import { unionOf, type VotedName, voteTableOf } from '../vote-table.js';
import { Flag, Tick } from '../parts/marks.js';
import { ActionButton, KeyCap } from '../parts/action-button.js';
import { useState } from 'preact/hooks';
import { withNames } from '../answer-edits.js';
import type { ItemToReview, ReviewedItem } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { AnswersHead, Comments } from '../parts/others-answers.js';
import { ItemFrame } from '../parts/item-frame.js';
import { OwnWords, ownWordsKeys } from '../parts/own-words.js';
import { Waiting } from '../parts/screen-parts.js';
import { SplitAdjudication } from '../split/split-screens.js';
import { useReview } from '../use-item.js';
import { useLoaded } from '../use-loaded.js';

interface VotesProps {
  readonly names: readonly VotedName[];
  readonly answers: readonly StoredAnswer[];
  /** The kinds of additions, by name. */
  readonly goesWith: Readonly<Record<string, GoesWith>>;
  /** The names of the decision. */
  readonly chosen: readonly string[];
  readonly list: NameKeys;
  readonly onAdopt: (index: number) => void;
}

/** Who took which name, and the decision in the last column. */
function Votes({ names, answers, goesWith, chosen, list, onAdopt }: VotesProps) {
  return (
    <div class="scroller" tabIndex={0} role="group" aria-label="Names by annotator">
      <table class="votes">
        <thead>
          <tr>
            <th scope="col">Name</th>
            {answers.map((answer, index) => (
              <th key={answer.annotator} scope="col">
                {answer.annotator} {answer.flagged && <Flag />}
                <span class={`state ${answer.state}`}>{STATE_WORDS[answer.state]}</span>
                <button type="button" class="quiet" onClick={() => onAdopt(index)}>
                  Adopt <span class="hidden">{answer.annotator}</span>{' '}
                  {index < 9 && <KeyCap name={String(index + 1)} />}
                </button>
              </th>
            ))}
            <th scope="col">Decision</th>
          </tr>
        </thead>
        <tbody ref={list.box}>
          {names.map((name, index) => (
            <VoteRow
              key={name.name}
              row={name}
              goesWith={goesWith[name.name]}
              index={index}
              isChosen={chosen.includes(name.name)}
              list={list}
            />
          ))}
        </tbody>
      </table>
      {names.length === 0 && <p class="soft">Nobody took a name.</p>}
    </div>
  );
}

interface VoteRowProps {
  readonly row: VotedName;
  readonly goesWith: GoesWith | undefined;
  readonly index: number;
  readonly isChosen: boolean;
  readonly list: NameKeys;
}

function VoteRow({ row, goesWith, index, isChosen, list }: VoteRowProps) {
  const isSplit = row.takers.includes(true) && row.takers.includes(false);
  return (
    <tr class={isSplit ? 'split' : ''}>
      <th scope="row">
        <span class="name">{row.name}</span>
        {row.isWritten && <span class="sub">written</span>}
        {goesWith !== undefined && <span class="sub">{GOES_WITH[goesWith]}</span>}
      </th>
      {row.takers.map((taken, taker) => (
        <td key={taker} class={taken ? 'taken' : ''}>
          {taken ? <Taken /> : <span class="hidden">no</span>}
        </td>
      ))}
      <td class="decision">
        <label>
          <input
            type="checkbox"
            class="hidden"
            checked={isChosen}
            aria-label={`${row.name} in the decision`}
            data-index={index}
            onFocus={() => list.setActive(index)}
            onChange={() => list.toggle(index)}
          />
          <Tick />
        </label>
      </td>
    </tr>
  );
}

function Taken() {
  return (
    <svg class="taken-mark" viewBox="0 0 16 16" role="img" aria-label="taken">
      <path d="M3.5 8.5 6.75 11.75 12.5 5" />
    </svg>
  );
}

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
  const { item, answers, majority, goesWith } = reviewed;
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
    majority: () => put(majority),
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
