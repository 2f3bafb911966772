import type { CandidateScores, GoesWith, ListedCandidate } from '../../annotation.js';
import { GOES_WITH, originInWords } from '../words.js';
import type { NameKeys } from '../use-keys.js';
import { KeyCap } from './action-button.js';
import { Tick } from './marks.js';

interface CandidateListProps {
  readonly candidates: readonly ListedCandidate[];
  readonly taken: readonly string[];
  readonly scores: ReadonlyMap<string, CandidateScores> | null;
  readonly list: NameKeys;
  readonly label: string;
  /** The kinds of additions, by name. */
  readonly goesWith?: Readonly<Record<string, GoesWith>>;
  /** True if to say where each name comes from; false where all are invented. */
  readonly origins: boolean;
  /** True if to say how hard each name is. */
  readonly difficulties: boolean;
}

/** The names to choose from; several can be taken. */
export function CandidateList(props: CandidateListProps) {
  const { candidates, taken, scores, list, label, goesWith = {}, origins, difficulties } = props;
  const { active, box, move, toggle } = list;
  function onKey(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, () => void>> = {
      ' ': () => toggle(active),
      Home: () => move(0),
      End: () => move(candidates.length - 1),
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  }
  if (candidates.length === 0) return <p class="soft">No name was proposed for this column.</p>;
  return (
    <ul
      class="candidates"
      role="listbox"
      aria-multiselectable="true"
      aria-label={label}
      aria-describedby="task"
      ref={box}
      onKeyDown={onKey}
    >
      {candidates.map((candidate, index) => (
        <Candidate
          key={candidate.name}
          candidate={candidate}
          index={index}
          taken={taken.includes(candidate.name)}
          score={scores?.get(candidate.name) ?? null}
          list={list}
          goesWith={goesWith[candidate.name]}
          hasOrigin={origins}
          difficulty={difficulties ? candidate.difficulty : undefined}
        />
      ))}
    </ul>
  );
}

interface CandidateProps {
  readonly candidate: ListedCandidate;
  readonly index: number;
  readonly taken: boolean;
  readonly score: CandidateScores | null;
  readonly list: NameKeys;
  readonly goesWith: GoesWith | undefined;
  readonly hasOrigin: boolean;
  readonly difficulty: number | undefined;
}

function Candidate(props: CandidateProps) {
  const { candidate, index, taken, score, list, goesWith, hasOrigin, difficulty } = props;
  const { active, setActive, toggle } = list;
  const isEntry = index === Math.max(0, active);
  return (
    <li
      role="option"
      aria-selected={taken}
      data-index={index}
      tabIndex={isEntry ? 0 : -1}
      onFocus={() => setActive(index)}
      onClick={() => toggle(index)}
    >
      <span class="slot">{index < 10 && <KeyCap name={String((index + 1) % 10)} />}</span>
      <Tick />
      <span class="name">{candidate.name}</span>
      <span class="origin">
        {goesWith !== undefined && (
          <>
            <b>{GOES_WITH[goesWith]}</b>
            {hasOrigin && ' · '}
          </>
        )}
        {hasOrigin && <span title={candidate.origin?.table}>{originInWords(candidate)}</span>}
      </span>
      {difficulty !== undefined && (
        <span class="scores">
          <span>
            difficulty <b>{difficulty.toFixed(2)}</b>
          </span>
        </span>
      )}
      {score !== null && <Scores score={score} />}
    </li>
  );
}

/** Renders the pipeline's scores (ADVETA §4.2, §4.3): similarity to the column, entailment both ways, and bucket. */
function Scores({ score }: { readonly score: CandidateScores }) {
  const figures = [
    ['similarity', score.similarity],
    ['association', score.association],
    ['e1', score.e1],
    ['e2', score.e2],
  ] as const;
  return (
    <span class="scores">
      {figures.map(([label, value]) => (
        <span key={label}>
          {label} <b>{value === null ? '–' : value.toFixed(2)}</b>
        </span>
      ))}
      <span>
        pipeline: <b>{score.bucket}</b>
      </span>
    </span>
  );
}
