import { pick } from '../../seeded-rng.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Rng } from '../../stage.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGIT = /\d/u;

/** A few random letters. */
export function randomWord(most: number, rng: Rng): string {
  let word = '';
  for (let left = 1 + rng.int(most); left > 0; left--) word += LETTERS.charAt(rng.int(LETTERS.length));
  return word;
}

function otherCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}

/** One character replaced: a digit by a digit, so that a date stays close to one. */
function withOtherCharacter(text: string, rng: Rng): string {
  const characters = [...text];
  if (characters.length === 0) return randomWord(2, rng);
  const at = rng.int(characters.length);
  characters[at] = DIGIT.test(characters[at] ?? '') ? String(rng.int(10)) : randomWord(1, rng);
  return characters.join('');
}

/** A text close to a constant, as the paper's "aAlicegg" to "Alice": Test-suite accuracy §4.1. */
function closeText(text: string, rng: Rng): string {
  switch (rng.int(6)) {
    case 0:
      return `${randomWord(2, rng)}${text}`;
    case 1:
      return `${text}${randomWord(2, rng)}`;
    case 2:
      return `${randomWord(2, rng)}${text}${randomWord(2, rng)}`;
    case 3:
      return [...text].slice(rng.int(2), 1 + rng.int(text.length + 1)).join('');
    case 4:
      return otherCase(text);
    default:
      return withOtherCharacter(text, rng);
  }
}

/** A number close to a constant or to that of another, 34 and 35: mostly one more or less. */
function closeNumber(value: bigint | number, others: readonly SqlValue[], rng: Rng): SqlValue {
  if (rng.int(4) === 0) {
    const other = Number(pick(others, rng));
    if (Number.isFinite(other)) return between(Number(value), other, rng);
  }
  if (typeof value === 'bigint') {
    return BigInt.asIntN(64, value + (rng.int(3) > 0 ? BigInt(1 - 2 * rng.int(2)) : BigInt(rng.int(21) - 10)));
  }
  return pick([value - 1, value + 1, value - 0.1, value + 0.1, value * (0.5 + rng.next())], rng);
}

/** A number between two: what BETWEEN asks for. */
function between(a: number, b: number, rng: Rng): SqlValue {
  const drawn = Math.min(a, b) + rng.next() * Math.abs(b - a);
  return Number.isSafeInteger(a) && Number.isSafeInteger(b) ? BigInt(Math.round(drawn)) : drawn;
}

/** A value close to one of a column's constants. */
export function closeVariant(values: readonly SqlValue[], rng: Rng): SqlValue {
  const value = pick(values, rng);
  if (typeof value === 'bigint' || typeof value === 'number') return closeNumber(value, values, rng);
  if (typeof value !== 'string') return value;
  const number = /^-?\d{1,15}$/u.test(value) ? BigInt(value) : null;
  return number !== null && rng.int(2) === 0 ? String(closeNumber(number, values, rng)) : closeText(value, rng);
}

/** A text that a pattern of LIKE matches, or nearly. */
export function closeToPattern(pattern: string, rng: Rng): string {
  const matching = pattern
    .replace(/[%*]/gu, () => (rng.int(2) === 0 ? '' : randomWord(3, rng)))
    .replace(/[_?]/gu, () => randomWord(1, rng));
  return rng.int(4) === 0 ? closeText(matching, rng) : matching;
}
