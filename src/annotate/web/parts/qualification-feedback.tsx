import type { QualificationResult, QualificationRound } from '../../api-shapes.js';
import { percent } from '../percent.js';
import { hrefOf } from '../route.js';
import { Heading } from './heading.js';

interface QualificationFeedbackProps {
  readonly round: QualificationRound;
  readonly result: QualificationResult;
  readonly onAgain: () => void;
}

/** Renders the known answers, with the reasons for them. */
export function QualificationFeedback({ round, result, onAgain }: QualificationFeedbackProps) {
  const { score, passed, feedback } = result;
  return (
    <div class="page">
      <Heading title={passed ? `Passed with ${percent(score)}` : `${percent(score)} this time`} />
      <p class="lede">
        {passed ? 'You are ready to start.' : `${percent(round.passMark)} is enough. Read the reasons and try again.`}{' '}
        {passed ? (
          <a class="button primary" href={hrefOf({ screen: 'home' })}>
            To the chunks
          </a>
        ) : (
          <button type="button" class="primary" onClick={onAgain}>
            Try again
          </button>
        )}
      </p>
      <ol class="feedback">
        {feedback.map(({ id, missed, wrong, why }) => (
          <li key={id}>
            <h2>
              {titleOf(round, id)}{' '}
              <span class={missed.length + wrong.length === 0 ? 'state done' : 'state draft'}>
                {missed.length + wrong.length === 0 ? 'right' : 'not quite'}
              </span>
            </h2>
            <Names label="Missed" names={missed} />
            <Names label="Not right" names={wrong} />
            <p class="soft">{why}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}

function titleOf(round: QualificationRound, id: string): string {
  const found = round.items.find(({ item }) => item.id === id);
  return found === undefined ? id : `${found.item.kind}: ${found.item.column} of ${found.item.table}`;
}

function Names({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p>
      {label}: <b>{names.join(', ')}</b>
    </p>
  );
}
