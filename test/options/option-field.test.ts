import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { count, jobs, positive, seconds, seed } from '../../src/options/option-field.js';
import { readOptions } from '../../src/cli/read-options.js';
import { ATTACK_PLAN_OPTIONS } from '../../src/cli/shared-options.js';
import { ConfigError } from '../../src/errors.js';
import { errorOf } from '../error-of.js';

const OPTIONS = z
  .object({
    positive: positive('n', 'a number'),
    timeout: seconds('a time'),
    shrinkQuestions: count('n', 'questions'),
    seed: seed(),
    jobs: jobs('threads'),
  })
  .partial();

function refusalOf(object: z.ZodObject, flags: Readonly<Record<string, string>>): ConfigError {
  return errorOf(ConfigError, () => readOptions(object, flags));
}

describe('numbers given as options', () => {
  it('are read', () => {
    expect(readOptions(OPTIONS, { positive: '3', shrinkQuestions: '0', seed: '-7' })).toEqual({
      positive: 3,
      shrinkQuestions: 0,
      seed: -7,
    });
  });

  it('are numbers in a configuration file', () => {
    expect(readOptions(OPTIONS, { positive: '3' }, { positive: 2, seed: 5 })).toEqual({ positive: 3, seed: 5 });
  });

  it.each([
    [{ positive: '0' }, 'Give a whole number above 0, such as --positive 2.'],
    // A timer of more than 24.8 days goes off at once: every query would be too slow.
    [{ timeout: '3000000' }, 'Give a whole number of seconds up to 86400, a day, such as --timeout 60.'],
    [{ shrinkQuestions: '-1' }, 'Give a whole number from 0 on, such as --shrink-questions 20.'],
    [{ seed: '1e3' }, 'Give a whole number, such as --seed 7.'],
    [{ seed: '0x10' }, 'Give a whole number, such as --seed 7.'],
    [{ seed: '99999999999999999999' }, 'Give a whole number, such as --seed 7.'],
  ])('%j is refused with what to give', (flags, fix) => {
    expect(refusalOf(OPTIONS, flags).fix).toBe(fix);
  });

  it('have the bounds of their command', () => {
    const { fix } = refusalOf(z.object({ seeds: ATTACK_PLAN_OPTIONS.seeds }), { seeds: '1001' });
    expect(fix).toBe('Give a whole number from 1 to 1000, such as --seeds 5.');
  });

  it('of jobs are at most the cores of the machine', () => {
    expect(readOptions(OPTIONS, { jobs: '100000' }).jobs).toBeLessThan(100_000);
  });
});
