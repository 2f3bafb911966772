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

/** Steps over a list of columns; an answer in conflict is not handed in before a version is chosen. */
export function useSteps(
  { answer, saveState, edit, step }: EditedAnswer,
  { column, verb, next, previous }: Way,
): Steps {
  const { keeper, say } = useDesk();
  const go = (place: string): void => {
    location.hash = place;
  };
  function handIn(state: 'done' | 'skipped'): void {
    if (saveState.kind === 'conflict') return focusOn('#conflict');
    edit({ ...answer, state }, 'state');
    keeper.flush();
    say(state === 'skipped' ? `Skipped: ${column}.` : `${verb}: ${column} → ${namesInWords(answer)}.`);
    go(next);
  }
  return {
    accept: () => handIn('done'),
    skip: () => handIn('skipped'),
    next: () => go(next),
    previous: () => previous !== null && go(previous),
    undo: () => step('undo'),
    redo: () => step('redo'),
  };
}

function namesInWords({ accepted, written }: Answer): string {
  return [...accepted, ...written].join(', ') || 'no name fits';
}
