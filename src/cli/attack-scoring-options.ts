import { availableParallelism } from 'node:os';
import { z } from 'zod';
import type { ScoringOptions } from '../victims/scoring-options.js';
import { RESULT_MODES } from '../sql/execution/result-mode.js';
import { positiveOption, secondsOption } from './number-options.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';

const schema = z.object({
  mode: z.enum(RESULT_MODES),
  plugValues: z.boolean().default(false),
  timeout: secondsOption,
  jobs: positiveOption.optional(),
});

/** How answers are scored, by the options. @throws ConfigError when one is wrong */
export function parseScoring(raw: RawOptions): ScoringOptions {
  const { mode, plugValues, timeout, jobs } = parseOptions(schema, raw);
  const workers = jobs === undefined ? undefined : Math.min(jobs, availableParallelism());
  return { mode, plugValues, timeoutMs: timeout * 1000, workers };
}
