import type { SplitTask, StoredAnswer } from '../../annotation.js';
import { Flag } from '../parts/flag.js';
import { KeyCap } from '../parts/key.js';
import { STATE_WORDS } from '../state-words.js';
import { letterOf, type SaidSegment, saidSegments } from './split-words.js';

interface SplitVotesProps {
  readonly task: SplitTask;
  readonly answers: readonly StoredAnswer[];
  readonly onAdopt: (index: number) => void;
}

const keyOf = (segment: SaidSegment): string => JSON.stringify(segment);

/** The answers of annotators next to one another; what not all of them have is marked. */
export function SplitVotes({ task, answers, onAdopt }: SplitVotesProps) {
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
