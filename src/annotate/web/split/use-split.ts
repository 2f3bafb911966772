import { useCallback, useRef, useState } from 'preact/hooks';
import type { SplitTask } from '../../annotation.js';
import type { MarkedSegment } from '../../kinds/split-marks.js';
import type { EditedAnswer } from '../use-answer.js';
import type { KeyHandlers } from '../use-keys.js';
import { moveBreak, segmentAt, segmentsOf, stepClause, toggleBreak, toggleExtra, withSegments } from './split-edits.js';

/** Where the keyboard is: at a token, or at the clause that the token's sub-sentence may say. */
interface Cursor {
  readonly token: number;
  /** Null at the token itself. */
  readonly clause: number | null;
}

/** A question being split, worked by keys and by mouse. */
export interface SplitWork {
  readonly segments: readonly MarkedSegment[];
  readonly cursor: Cursor;
  /** Position of the sub-sentence that the cursor is in. */
  readonly current: number;
  /** `ref` of what holds the elements that take the focus, marked by `data-token`, and `data-cell` "segment,clause". */
  readonly box: (element: HTMLElement | null) => void;
  readonly setCursor: (cursor: Cursor) => void;
  readonly toggleBreak: (token: number) => void;
  /** Moves the begin of the sub-sentence at the cursor. */
  readonly moveBreak: (by: -1 | 1) => void;
  readonly stepClause: (segment: number, clause: number) => void;
  readonly toggleExtra: (segment: number, column: string) => void;
  /** Puts the focus back where the cursor is. */
  readonly focus: () => void;
  readonly keys: KeyHandlers;
  /** The keys 1 to 0: each the clause of its number, for the current sub-sentence. */
  readonly digit: (clause: number) => void;
}

const within = (value: number, length: number): number => Math.max(0, Math.min(length - 1, value));

/** Where ← and → lead: from word to word, or in the table from sub-sentence to sub-sentence. */
function aside({ token, clause }: Cursor, by: -1 | 1, segments: readonly MarkedSegment[], tokens: number): Cursor {
  if (clause === null) return { token: within(token + by, tokens), clause };
  const to = within(segmentAt(segments, token) + by, segments.length);
  return { token: segments[to]?.first ?? 0, clause };
}

/** Where ↑ and ↓ lead: from the words into the table, in it from clause to clause, and back. */
function along({ token, clause }: Cursor, by: -1 | 1, clauses: number): Cursor {
  const to = (clause ?? -1) + by;
  return { token, clause: to < 0 || clauses === 0 ? null : within(to, clauses) };
}

/** The cursor and the focus that follows it. */
function useCursor(segments: readonly MarkedSegment[]) {
  const held = useRef<HTMLElement | null>(null);
  const box = useCallback((element: HTMLElement | null) => {
    held.current = element;
  }, []);
  const [cursor, setCursor] = useState<Cursor>({ token: 0, clause: null });
  function focusAt({ token, clause }: Cursor): void {
    const place = clause === null ? `[data-token="${token}"]` : `[data-cell="${segmentAt(segments, token)},${clause}"]`;
    held.current?.querySelector<HTMLElement>(place)?.focus();
  }
  function go(to: Cursor): void {
    setCursor(to);
    focusAt(to);
  }
  return { box, cursor, setCursor, go, focus: () => focusAt(cursor) };
}

/** State and keys of a question that is split. */
export function useSplit({ tokens, clauses }: SplitTask, { answer, edit }: EditedAnswer): SplitWork {
  const segments = segmentsOf(answer);
  const { box, cursor, setCursor, go, focus } = useCursor(segments);
  const current = segmentAt(segments, cursor.token);
  const put = (next: readonly MarkedSegment[]): void => edit(withSegments(answer, next), 'split');
  const step = (segment: number, clause: number): void => {
    if (clause < clauses.length) put(stepClause(segments, segment, clause));
  };
  function shift(by: -1 | 1): void {
    const next = moveBreak(segments, cursor.token, by, tokens.length);
    if (next === segments) return;
    put(next);
    go({ token: cursor.token + by, clause: null });
  }
  const keys: KeyHandlers = {
    left: () => go(aside(cursor, -1, segments, tokens.length)),
    right: () => go(aside(cursor, 1, segments, tokens.length)),
    up: () => go(along(cursor, -1, clauses.length)),
    down: () => go(along(cursor, 1, clauses.length)),
    toggle: () => (cursor.clause === null ? put(toggleBreak(segments, cursor.token)) : step(current, cursor.clause)),
  };
  return {
    segments,
    cursor,
    current,
    box,
    setCursor,
    focus,
    keys,
    toggleBreak: (token) => put(toggleBreak(segments, token)),
    moveBreak: shift,
    stepClause: step,
    toggleExtra: (segment, column) => put(toggleExtra(segments, segment, column)),
    digit: (clause) => step(current, clause),
  };
}
