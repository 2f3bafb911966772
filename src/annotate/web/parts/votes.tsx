import type { GoesWith, StoredAnswer } from '../../annotation.js';
import { GOES_WITH } from '../origin-words.js';
import { STATE_WORDS } from '../state-words.js';
import type { NameKeys } from '../use-name-keys.js';
import type { VotedName } from '../vote-table.js';
import { Flag } from './flag.js';
import { KeyCap } from './key.js';
import { Tick } from './tick.js';

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
export function Votes({ names, answers, goesWith, chosen, list, onAdopt }: VotesProps) {
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
