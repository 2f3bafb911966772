import type { Answer } from '../annotation.js';
import { hasNames } from './answer-edits.js';
import { useDesk } from './desk.js';
import { focusOn } from './use-keys.js';
import type { Keymap } from './keymap.js';
import type { EditedAnswer } from './use-answer.js';

/** The actions of a screen on the way from one column to the next. */
export type Steps = Readonly<Record<'accept' | 'none' | 'skip' | 'next' | 'previous' | 'undo' | 'redo', () => void>>;

/** How steps speak of an answer. */
export interface StepWords {
  /** The message for submitting nothing. */
  readonly nothing: (keymap: Keymap) => string;
  /** The message for submitting a selection as nothing. */
  readonly chosen: string;
  readonly answer: (answer: Answer) => string;
}

interface Way {
  readonly column: string;
  /** The label of submitting: "Handed in". */
  readonly verb: string;
  /** Fragments of the screens before and after; the last one leads back to the list. */
  readonly next: string;
  readonly previous: string | null;
  /** Those of names where there are none. */
  readonly words?: StepWords | undefined;
}

/**
 * Steps over a list of columns; an answer in conflict is not handed in before a version is chosen, and one without
 * names only by the key that says that none fits.
 */
export function useSteps(
  { answer, saveState, edit, step }: EditedAnswer,
  { column, verb, next, previous, words }: Way,
): Steps {
  const { keeper, keymap, say } = useDesk();
  const go = (place: string): void => {
    location.hash = place;
  };
  function handIn(state: 'done' | 'skipped'): void {
    if (saveState.kind === 'conflict') return focusOn('#conflict');
    edit({ ...answer, state }, 'state');
    keeper.flush();
    go(next);
    // After the address has changed: what is said goes with the screen it was said on.
    say(
      state === 'skipped' ? `Skipped: ${column}.` : `${verb}: ${column} → ${(words?.answer ?? namesInWords)(answer)}.`,
    );
  }
  function accept(): void {
    // What was handed in as "no name fits" has been said already.
    if (hasNames(answer) || answer.state === 'done') handIn('done');
    else say(`${(words?.nothing ?? askForNone)(keymap)} ${keymap.skip} skips it.`);
  }
  function none(): void {
    if (hasNames(answer))
      say(words?.chosen ?? `Chosen: ${namesInWords(answer)}. Give the names back first if none fits.`);
    else handIn('done');
  }
  return {
    accept,
    none,
    skip: () => handIn('skipped'),
    next: () => go(next),
    previous: () => previous !== null && go(previous),
    undo: () => step('undo'),
    redo: () => step('redo'),
  };
}

/** Returns the message of the submit key when nothing is chosen. */
export function askForNone(keymap: Keymap): string {
  return `Nothing is chosen. Press ${keymap.none} if no name fits.`;
}

function namesInWords({ accepted, written }: Answer): string {
  return [...accepted, ...written].join(', ') || 'no name fits';
}
