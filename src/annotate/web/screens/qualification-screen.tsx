import { useState } from 'preact/hooks';
import type { ItemInContext, QualificationResult, QualificationRound } from '../../api-shapes.js';
import { useDesk } from '../desk.js';
import { ownerOf } from '../owner-of.js';
import { KINDS } from '../kind-words.js';
import { ActionButton } from '../parts/action-button.js';
import { CandidateList } from '../parts/candidate-list.js';
import { Heading } from '../parts/heading.js';
import { ItemSurroundings } from '../parts/item-surroundings.js';
import { ItemTitle } from '../parts/item-title.js';
import { QualificationFeedback } from '../parts/qualification-feedback.js';
import { Waiting } from '../parts/waiting.js';
import { useKeptAnswers } from '../use-kept-answers.js';
import { useKeys } from '../use-keys.js';
import { useLoaded } from '../use-loaded.js';
import { useNameKeys } from '../use-name-keys.js';

/** A round of columns whose answers are known; what was missed is told at once. */
export function QualificationScreen() {
  const { api } = useDesk();
  const { value: round, away, error } = useLoaded('qualification', api.qualification);
  if (round === null) return <Waiting away={away} error={error} />;
  return <Round round={round} />;
}

function Round({ round }: { readonly round: QualificationRound }) {
  const { api, me, refreshMe, say } = useDesk();
  const [answers, setAnswers] = useKeptAnswers(ownerOf(me));
  const [at, setAt] = useState(0);
  const [result, setResult] = useState<QualificationResult | null>(null);
  const asked = round.items[at];
  if (result !== null) {
    const again = (): void => {
      setAnswers({});
      setAt(0);
      setResult(null);
    };
    return <QualificationFeedback round={round} result={result} onAgain={again} />;
  }
  if (asked === undefined) return <Heading title="This project has no qualification round" />;
  function send(): void {
    const whole = Object.fromEntries(round.items.map(({ item }) => [item.id, answers[item.id] ?? []]));
    api.qualify(whole).then(
      (found) => {
        setResult(found);
        refreshMe();
      },
      (error: Error) => say(`Not sent, your answers are kept: ${error.message}.`),
    );
  }
  return (
    <Question
      key={asked.item.id}
      asked={asked}
      at={at}
      of={round.items.length}
      taken={answers[asked.item.id] ?? []}
      onTaken={(names) => setAnswers({ ...answers, [asked.item.id]: names })}
      onMove={(to) => (to >= round.items.length ? send() : setAt(Math.max(0, to)))}
    />
  );
}

interface QuestionProps {
  readonly asked: ItemInContext;
  readonly at: number;
  readonly of: number;
  readonly taken: readonly string[];
  readonly onTaken: (names: readonly string[]) => void;
  readonly onMove: (to: number) => void;
}

function Question({ asked: { item, context }, at, of, taken, onTaken, onMove }: QuestionProps) {
  const { keymap } = useDesk();
  const names = item.candidates.map(({ name }) => name);
  const list = useNameKeys(names, (name) =>
    onTaken(names.filter((other) => (other === name ? !taken.includes(name) : taken.includes(other)))),
  );
  const isLast = at === of - 1;
  const actions = { accept: () => onMove(at + 1), previous: () => onMove(at - 1) };
  useKeys({ ...list.keys, ...actions, ...(isLast ? {} : { next: actions.accept }) }, keymap);
  return (
    <div class="work">
      <ItemTitle item={item} place={`${at + 1} of ${of}`} />
      <div class="columns">
        <ItemSurroundings item={item} context={context} />
        <section class="answer" aria-labelledby="names" data-item={item.id}>
          <h2 id="names">Which names are right?</h2>
          <p class="soft" id="task">
            {KINDS[item.kind].meaning} Take every right one of the list, and no other.
          </p>
          <CandidateList
            candidates={item.candidates}
            taken={taken}
            scores={null}
            list={list}
            label={`Names for ${item.column}`}
            origins={false}
          />
        </section>
      </div>
      <div class="bar" role="region" aria-label="Steps">
        <div class="bar-status">
          <span class="soft">Qualification, kept in this browser until you send it</span>
        </div>
        <div class="bar-steps">
          <ActionButton action="previous" look="quiet" disabled={at === 0} onClick={actions.previous}>
            Previous
          </ActionButton>
          <ActionButton action="accept" look="primary" onClick={actions.accept}>
            {isLast ? 'Send the round' : 'Next'}
          </ActionButton>
        </div>
      </div>
    </div>
  );
}
