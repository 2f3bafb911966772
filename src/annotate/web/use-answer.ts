import { useLayoutEffect, useReducer, useState } from 'preact/hooks';
import { type Answer, sameAnswer, type StoredAnswer } from '../annotation.js';
import { useDesk } from './desk.js';
import type { DraftKeeper, SaveState } from './draft-keeper.js';
import type { Edit } from './edit-journal.js';

/** An answer being worked on: every change is kept, and can be undone. */
export interface EditedAnswer {
  readonly answer: Answer;
  readonly saveState: SaveState;
  readonly edit: (answer: Answer, sort: Edit['sort']) => void;
  readonly step: (direction: 'undo' | 'redo') => void;
  readonly resolve: (choice: 'mine' | 'theirs') => void;
}

const SORTS = { names: 'names', split: 'sub-sentences', comment: 'comment', flag: 'flag', state: 'handing in' };

function openAnswer(keeper: DraftKeeper, key: string, loaded: StoredAnswer | null, start?: Answer): Answer {
  const opened = keeper.open(key, loaded);
  return start === undefined || keeper.answerOf(key) !== null ? opened : start;
}

/**
 * The answer of a key; `place` leads back to its screen, `start` is what comes before anything is saved. The component has
 * to be keyed by `key`.
 */
export function useAnswer(key: string, place: string, loaded: StoredAnswer | null, start?: Answer): EditedAnswer {
  const { keeper, journal, say } = useDesk();
  const [, render] = useReducer<number, null>((round) => round + 1, 0);
  const [held] = useState(() => ({ answer: openAnswer(keeper, key, loaded, start) }));

  function put(next: Answer): void {
    held.answer = next;
    keeper.change(key, next, place);
  }
  function edit(next: Answer, sort: Edit['sort']): void {
    const before = held.answer;
    if (sameAnswer(before, next)) return;
    journal.record({ key, place, before, after: next, sort });
    put(next);
  }
  function step(direction: 'undo' | 'redo'): void {
    const change = direction === 'undo' ? journal.toUndo : journal.toRedo;
    if (change === null) return say(`Nothing to ${direction}.`);
    if (change.key !== key) {
      journal.awaited = direction;
      location.hash = change.place;
      return;
    }
    const [from, to] = direction === 'undo' ? [change.after, change.before] : [change.before, change.after];
    if (direction === 'undo') journal.undone();
    else journal.redone();
    if (!sameAnswer(held.answer, from)) return say(`This answer has changed since: nothing to ${direction} here.`);
    put(to);
    say(`${direction === 'undo' ? 'Undone' : 'Done again'}: ${SORTS[change.sort]}.`);
  }
  function resolve(choice: 'mine' | 'theirs'): void {
    held.answer = keeper.resolve(key, choice);
    render(null);
  }

  // Before anything can be saved: layout effects run with the drawing.
  useLayoutEffect(() => keeper.watch(() => render(null)), []);
  useLayoutEffect(() => {
    const { awaited } = journal;
    journal.awaited = null;
    const change = awaited === 'undo' ? journal.toUndo : journal.toRedo;
    if (awaited !== null && change?.key === key) step(awaited);
  }, []);
  return { answer: held.answer, saveState: keeper.stateOf(key), edit, step, resolve };
}
