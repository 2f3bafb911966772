import { z } from 'zod';
import { MOST_SECONDS } from '../run/time-limit.js';

/** What an option takes and an example of it: the error that refuses another value says both. */
export interface Expectation {
  /** "a whole number above 0" */
  readonly what: string;
  readonly example: string;
}

/** The params of a check whose fix says what to write. */
export function expecting(
  message: string,
  expectation: Expectation,
): { message: string; params: { expectation: Expectation } } {
  return { message, params: { expectation } };
}

/** What the check expects that an issue comes from; null where it does not say. */
export function expectationOf(issue: z.core.$ZodIssue): Expectation | null {
  const given: unknown = issue.code === 'custom' ? issue.params?.['expectation'] : null;
  return (given as Expectation | null | undefined) ?? null;
}

function wholeNumber(expectation: Expectation) {
  return z
    .string()
    .refine((text) => /^-?\d+$/.test(text), { ...expecting('a whole number is expected', expectation), abort: true })
    .transform(Number)
    .refine(Number.isSafeInteger, { ...expecting('the number is too large', expectation), abort: true });
}

const POSITIVE: Expectation = { what: 'a whole number above 0', example: '2' };
const COUNT: Expectation = { what: 'a whole number from 0 on', example: '20' };
const SECONDS: Expectation = { what: `a whole number of seconds up to ${MOST_SECONDS}, a day`, example: '60' };
const SEED: Expectation = { what: 'a whole number', example: '7' };

/** A positive whole number given as an option. */
export const positiveOption = wholeNumber(POSITIVE).refine(
  (n) => n > 0,
  expecting('a number above 0 is expected', POSITIVE),
);

/** A time limit given as an option, in seconds. */
export const secondsOption = positiveOption.refine(
  (n) => n <= MOST_SECONDS,
  expecting('the time is too long', SECONDS),
);

/** A whole number from 0 on given as an option. */
export const countOption = wholeNumber(COUNT).refine((n) => n >= 0, expecting('a number from 0 on is expected', COUNT));

/** The seed of random draws, given as an option. */
export const seedOption = wholeNumber(SEED);

/** A port given as an option; 0 takes any free one. */
export const portOption = z
  .string()
  .regex(/^\d{1,5}$/, 'a port is expected')
  .transform(Number)
  .refine((port) => port <= 65_535, 'a port is at most 65535');
