import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { attackPlanSchema } from '../../src/cli/attack-plan-options.js';
import { countOption, positiveOption, secondsOption, seedOption } from '../../src/cli/number-options.js';
import type { RawOptions } from '../../src/cli/options.js';
import { parseOptions } from '../../src/cli/run-context.js';
import { ConfigError } from '../../src/errors.js';
import { errorOf } from '../error-of.js';

const SCHEMA = z
  .object({ positive: positiveOption, timeout: secondsOption, shrinkQuestions: countOption, seed: seedOption })
  .partial();

function refusalOf(schema: z.ZodType, raw: RawOptions): ConfigError {
  return errorOf(ConfigError, () => parseOptions(schema, raw));
}

describe('numbers given as options', () => {
  it('are read', () => {
    expect(parseOptions(SCHEMA, { positive: '3', shrinkQuestions: '0', seed: '-7' })).toEqual({
      ...{ positive: 3, shrinkQuestions: 0, seed: -7 },
    });
  });

  it.each([
    [{ positive: '0' }, 'Give a whole number above 0, such as --positive 2.'],
    // A timer of more than 24.8 days goes off at once: every query would be too slow.
    [{ timeout: '3000000' }, 'Give a whole number of seconds up to 86400, a day, such as --timeout 60.'],
    [{ shrinkQuestions: '-1' }, 'Give a whole number from 0 on, such as --shrink-questions 20.'],
    [{ seed: '1e3' }, 'Give a whole number, such as --seed 7.'],
    [{ seed: '99999999999999999999' }, 'Give a whole number, such as --seed 7.'],
  ])('%j is refused with what to give', (raw, fix) => {
    expect(refusalOf(SCHEMA, raw).fix).toBe(fix);
  });

  it('have the bounds of their command', () => {
    const { fix } = refusalOf(attackPlanSchema.pick({ seeds: true }), { seeds: '1001' });
    expect(fix).toBe('Give a whole number from 1 to 1000, such as --seeds 5.');
  });
});
