import { useState } from 'preact/hooks';
import type { ItemInContext, QualificationResult, QualificationRound } from '../../api-shapes.js';
import { KINDS, percent } from '../words.js';
import { hrefOf } from '../route.js';
import { Heading, Waiting } from '../parts/screen-parts.js';
import { useDesk } from '../desk.js';
import { ownerOf } from '../owner-of.js';
import { ActionButton } from '../parts/action-button.js';
import { CandidateList } from '../parts/candidate-list.js';
import { ItemSurroundings } from '../parts/item-surroundings.js';
import { ItemTitle } from '../parts/item-frame.js';
import { useKeys, useNameKeys } from '../use-keys.js';
import { useLoaded } from '../use-loaded.js';
import { askForNone } from '../use-steps.js';

type KeptAnswers = Readonly<Record<string, readonly string[]>>;

/** The names taken in a qualification round, by item; kept in this browser until there are none. */
function useKeptAnswers(owner: string): readonly [KeptAnswers, (answers: KeptAnswers) => void] {
  const keptAs = `perturbql.qualification.${owner}`;
  const [answers, setAnswers] = useState(() => JSON.parse(localStorage.getItem(keptAs) ?? '{}') as KeptAnswers);
  function keep(next: KeptAnswers): void {
    if (Object.keys(next).length === 0) localStorage.removeItem(keptAs);
    else localStorage.setItem(keptAs, JSON.stringify(next));
    setAnswers(next);
  }
  return [answers, keep];
}

interface QualificationFeedbackProps {
  readonly round: QualificationRound;
  readonly result: QualificationResult;
  readonly onAgain: () => void;
}

/** Renders the known answers, with the reasons for them. */
function QualificationFeedback({ round, result, onAgain }: QualificationFeedbackProps) {
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
  const { id } = asked.item;
  function move(to: number, given = answers): void {
    const open = round.items.findIndex(({ item }) => given[item.id] === undefined);
    if (to < round.items.length) return setAt(Math.max(0, to));
    if (open === -1) return send(given);
    setAt(open);
    say('This one is still open.');
  }
  function answerNone(): void {
    const given = { ...answers, [id]: [] };
    setAnswers(given);
    move(at + 1, given);
  }
  function send(given: typeof answers): void {
    api.qualify(given).then(
      (found) => {
        setResult(found);
        refreshMe();
      },
      (error: Error) => say(`Not sent, your answers are kept: ${error.message}.`),
    );
  }
  return (
    <Question
      key={id}
      asked={asked}
      at={at}
      of={round.items.length}
      taken={answers[id] ?? null}
      onTaken={(names) => setAnswers({ ...answers, [id]: names })}
      onNone={answerNone}
      onMove={move}
    />
  );
}

interface QuestionProps {
  readonly asked: ItemInContext;
  readonly at: number;
  readonly of: number;
  /** Null before anything was answered. */
  readonly taken: readonly string[] | null;
  readonly onTaken: (names: readonly string[]) => void;
  readonly onNone: () => void;
  readonly onMove: (to: number) => void;
}

function Question({ asked: { item, context }, at, of, taken: answered, onTaken, onNone, onMove }: QuestionProps) {
  const { keymap, say } = useDesk();
  const taken = answered ?? [];
  const names = item.candidates.map(({ name }) => name);
  const list = useNameKeys(names, (name) =>
    onTaken(names.filter((other) => (other === name ? !taken.includes(name) : taken.includes(other)))),
  );
  const isLast = at === of - 1;
  const onward = (): void => onMove(at + 1);
  const actions = {
    accept: () => (answered !== null ? onward() : say(askForNone(keymap))),
    none: () => (taken.length > 0 ? say('Give the names back first if none fits.') : onNone()),
    previous: () => onMove(at - 1),
  };
  useKeys({ ...list.keys, ...actions, ...(isLast ? {} : { next: onward }) }, keymap);
  return (
    <div class="work">
      <ItemTitle item={item} context={context} place={`${at + 1} of ${of}`} />
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
            difficulties={false}
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
          <ActionButton action="none" disabled={taken.length > 0} onClick={actions.none}>
            No name fits
          </ActionButton>
          <ActionButton action="accept" look="primary" onClick={actions.accept}>
            {isLast ? 'Send the round' : 'Next'}
          </ActionButton>
        </div>
      </div>
    </div>
  );
}
