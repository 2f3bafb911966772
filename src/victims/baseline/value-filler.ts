import type { FillFeatures } from './fill-features.js';
import type { KnownExample } from './known-example.js';
import type { QuestionView } from './question-view.js';
import type { QuestionValue } from './question-values.js';
import type { ValueSlot } from './sketch.js';

/** A literal to write. */
interface ChosenValue {
  readonly text: string;
  readonly isText: boolean;
}

/** Literals for the values of a sketch. */
export interface ValueChoice {
  readonly values: readonly ChosenValue[];
  readonly features: FillFeatures;
}

/** How well a value of the question fits a slot; null where it can't be there. */
function fitOf(
  value: QuestionValue,
  at: number,
  slot: ValueSlot,
  column: number | null,
  view: QuestionView,
): number | null {
  if (slot.kind !== 'text' && value.kind !== 'number') return null;
  const isCell = column !== null && value.columns.includes(column);
  const mention = column === null ? undefined : view.columns[column]?.mention;
  const gap = mention === undefined ? 10 : Math.abs(value.first - mention.last);
  return (isCell ? 3 : 0) + (slot.kind === value.kind || slot.kind === 'limit' ? 2 : 0) - gap / 10 - at / 100;
}

/**
 * Puts the question's values into a sketch, each once, where they fit best; a literal that the example's question does
 * not say (LIMIT 1) stays, and so does one that nothing fits.
 */
export function fillValues(example: KnownExample, columns: readonly number[], view: QuestionView): ValueChoice {
  const free = new Set(view.linked.values.keys());
  let missing = 0;
  const values = example.sketch.values.map((slot, i): ChosenValue => {
    const column = slot.column === null ? null : (columns[slot.column] ?? null);
    const isKept = example.saidValues[i] !== true && slot.kind !== 'text';
    const value = isKept ? undefined : takeBest(slot, column, view, free);
    if (value === undefined && !isKept) missing += 1;
    return chosen(slot, column, value, view);
  });
  return { values, features: { 'value-missing': missing, 'value-unused': free.size } };
}

function takeBest(
  slot: ValueSlot,
  column: number | null,
  view: QuestionView,
  free: Set<number>,
): QuestionValue | undefined {
  let best: { readonly at: number; readonly fit: number } | null = null;
  for (const at of free) {
    const fit = fitOf(view.linked.values[at]!, at, slot, column, view);
    if (fit !== null && (best === null || fit > best.fit)) best = { at, fit };
  }
  if (best === null) return undefined;
  free.delete(best.at);
  return view.linked.values[best.at];
}

function chosen(
  slot: ValueSlot,
  column: number | null,
  value: QuestionValue | undefined,
  view: QuestionView,
): ChosenValue {
  const text = value?.text ?? slot.text;
  const type = column === null ? null : (view.linked.schema.columns[column]?.type ?? null);
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(text);
  const isPattern = slot.before !== '' || slot.after !== '';
  const wantsText = slot.kind === 'text' && (value?.kind !== 'number' || type !== 'number');
  return { text, isText: isPattern || !isNumber || wantsText };
}
