import { useRef } from 'preact/hooks';
import type { Answer } from '../annotation.js';
import { useDesk } from './desk.js';
import { focusOn } from './focus-on.js';
import type { EditedAnswer } from './use-answer.js';

/** What a screen does on the way from one column to the next. */
export type Steps = Readonly<Record<'accept' | 'skip' | 'next' | 'previous' | 'undo' | 'redo', () => void>>;

interface Way {
  readonly column: string;
  /** What handing in is called: "Handed in". */
  readonly verb: string;
  /** Fragments of the screens before and after; the last one leads back to the list. */
  readonly next: string;
  readonly previous: string | null;
}

/**
 * Steps over a list of columns; an answer in conflict is not handed in before a version is chosen, and one that has lost
 * all its names since it was handed in not before that is said twice.
 */
export function useSteps(
  { answer, handedIn, saveState, edit, step }: EditedAnswer,
  { column, verb, next, previous }: Way,
): Steps {
  const { keeper, keymap, say } = useDesk();
  const asked = useRef<Answer | null>(null);
  const go = (place: string): void => {
    location.hash = place;
  };
  function handIn(state: 'done' | 'skipped'): void {
    if (saveState.kind === 'conflict') return focusOn('#conflict');
    edit({ ...answer, state }, 'state');
    keeper.flush();
    go(next);
    // After the address has changed: what is said goes with the screen it was said on.
    say(state === 'skipped' ? `Skipped: ${column}.` : `${verb}: ${column} → ${namesInWords(answer)}.`);
  }
  function accept(): void {
    const losesNames = handedIn !== null && countNames(handedIn) > 0 && countNames(answer) === 0;
    if (!losesNames || asked.current === answer) return handIn('done');
    asked.current = answer;
    say(`No name is taken; before: ${namesInWords(handedIn)}. ${keymap.accept} again if no name fits.`);
  }
  return {
    accept,
    skip: () => handIn('skipped'),
    next: () => go(next),
    previous: () => previous !== null && go(previous),
    undo: () => step('undo'),
    redo: () => step('redo'),
  };
}

function countNames({ accepted, written }: Answer): number {
  return accepted.length + written.length;
}

function namesInWords({ accepted, written }: Answer): string {
  return [...accepted, ...written].join(', ') || 'no name fits';
}
