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

/** State and keys of a question that is split. */
export function useSplit({ tokens, clauses }: SplitTask, { answer, edit }: EditedAnswer): SplitWork {
  const held = useRef<HTMLElement | null>(null);
  const box = useCallback((element: HTMLElement | null) => {
    held.current = element;
  }, []);
  const [cursor, setCursor] = useState<Cursor>({ token: 0, clause: null });
  const segments = segmentsOf(answer);
  const current = segmentAt(segments, cursor.token);

  function put(next: readonly MarkedSegment[]): void {
    edit(withSegments(answer, next), 'split');
  }
  function focusAt({ token, clause }: Cursor): void {
    const place = clause === null ? `[data-token="${token}"]` : `[data-cell="${segmentAt(segments, token)},${clause}"]`;
    held.current?.querySelector<HTMLElement>(place)?.focus();
  }
  function go(to: Cursor): void {
    setCursor(to);
    focusAt(to);
  }
  function goAside(by: -1 | 1): void {
    if (cursor.clause === null) return go({ token: within(cursor.token + by, tokens.length), clause: null });
    const first = segments[within(current + by, segments.length)]?.first ?? 0;
    go({ token: first, clause: cursor.clause });
  }
  function goDown(by: -1 | 1): void {
    const to = (cursor.clause ?? -1) + by;
    go({ ...cursor, clause: to < 0 || clauses.length === 0 ? null : within(to, clauses.length) });
  }
  const step = (segment: number, clause: number): void => {
    if (clause < clauses.length) put(stepClause(segments, segment, clause));
  };
  const toggle = (): void => {
    if (cursor.clause === null) put(toggleBreak(segments, cursor.token));
    else step(current, cursor.clause);
  };
  function shift(by: -1 | 1): void {
    const next = moveBreak(segments, cursor.token, by, tokens.length);
    if (next === segments) return;
    put(next);
    go({ token: cursor.token + by, clause: null });
  }
  return {
    segments,
    cursor,
    current,
    box,
    setCursor,
    toggleBreak: (token) => put(toggleBreak(segments, token)),
    moveBreak: shift,
    stepClause: step,
    toggleExtra: (segment, column) => put(toggleExtra(segments, segment, column)),
    focus: () => focusAt(cursor),
    keys: { left: () => goAside(-1), right: () => goAside(1), up: () => goDown(-1), down: () => goDown(1), toggle },
    digit: (clause) => step(current, clause),
  };
}
