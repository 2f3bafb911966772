import { renderString } from '../../../sql/dialect.js';
import type { Rng } from '../../../stage.js';
import type { Gold, QueryChange } from '../change.js';
import { constantSites, otherConstants, type ConstantSite } from '../constant-sites.js';
import { limitIsFree } from '../proofs/single-row.js';
import { sameForIntegers } from '../proofs/integer-test.js';
import { ancestorsOf, type ExpressionSite } from '../query-sites.js';

/** Numbers that a double holds to the last digit; a leading zero is part of a code, no number. */
const INTEGER = /^(?:0|[1-9][0-9]{0,14})$/;
const DECIMAL = /^[0-9]{0,9}\.[0-9]{1,5}$/;
/** The step that a decimal is moved by (test suite accuracy, §3.1). */
const STEP = 0.001;
const STEP_DIGITS = 3;
/** The factor that an integer is off by if it is too large or too small for a mistake by one. */
const FACTOR = 10;
/** Random numbers: one of the constant's size, one of any. */
const ANY_SIZE = 1_000_000_000;

function integers(value: number, rng: Rng): number[] {
  const size = 10 ** Math.min(9, String(value).length + 1);
  return [value + 1, value - 1, 0, value * FACTOR, rng.int(size), rng.int(ANY_SIZE)];
}

function decimals(text: string, rng: Rng): string[] {
  const value = Number(text);
  const digits = Math.max(STEP_DIGITS, text.length - text.indexOf('.') - 1);
  const random = rng.next() * Math.max(10, value * 10);
  return [value + STEP, value - STEP, value + 1, value - 1, random].map((other) => other.toFixed(digits));
}

/** Returns replacements for a number's text; none if it is written in another way than plainly. */
function othersOf({ value, site }: ConstantSite, rng: Rng): string[] {
  if (DECIMAL.test(value)) return decimals(value, rng);
  if (!INTEGER.test(value)) return [];
  const others = integers(Number(value), rng);
  // A negative LIMIT is none, and a negative OFFSET is 0.
  return others.filter((other) => site.clause !== 'limit' || other >= 0).map(String);
}

/** Checks whether a number is counted: `count(1)` counts rows, as `count(2)` does. */
function isCounted({ parent }: ExpressionSite): boolean {
  return parent?.node.kind === 'function' && parent.node.name.name.toLowerCase() === 'count';
}

/** Why another number makes no difference, or null: counted, in a comparison of integers, or a LIMIT of one row. */
function proofOf(gold: Gold, { site }: ConstantSite, value: number): string | null {
  if (isCounted(site)) return 'any number is counted';
  if (site.clause === 'limit') {
    const select = gold.sites.selects.find(({ node }) => node.limit?.count === site.node);
    const limit = select?.node.limit;
    return select === undefined || limit == null || value < 1 ? null : limitIsFree(gold, select, limit);
  }
  const test = ancestorsOf(site).find(({ node }) => node.kind === 'binary' || node.kind === 'between');
  return test === undefined ? null : sameForIntegers(gold, test, { node: site.node, value });
}

/**
 * A number becomes one next to it, a random one, or another of the query; so does a number that is written as a string.
 */
export function* numericConstant(gold: Gold, rng: Rng): Iterable<QueryChange> {
  const constants = constantSites(gold);
  for (const constant of constants) {
    const isNumber = constant.type === 'number';
    const elsewhere = isNumber ? otherConstants(constants, constant) : [];
    for (const other of [...othersOf(constant, rng), ...elsewhere]) {
      const text = constant.type === 'string' ? renderString(other) : other;
      const equivalent = constant.type === 'string' ? null : proofOf(gold, constant, Number(other));
      const edit = gold.text.replace(constant.site.node.span, text);
      yield { edit, detail: `${constant.value} → ${other}`, equivalent };
    }
  }
}
