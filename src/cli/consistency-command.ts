import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { consistency, type ConsistencyOutcome, foreseeConsistency } from '../consistency/consistency.js';
import { renderConsistencyTable } from '../consistency/consistency-table.js';
import { type FailAboveRule, parseFailAbove, requireKnownRelations, ruleFailures } from '../consistency/fail-above.js';
import { parseFold } from '../metamorphic/sampling/fold.js';
import { requireOut } from './attack-plan-options.js';
import { parseScoring } from './attack-scoring-options.js';
import { parseVictim } from './attack-victim-options.js';
import { ConsoleHost } from './console-host.js';
import { datasetPathsShape } from './dataset-options.js';
import { countOption, seedOption } from './number-options.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseOptions, withInterrupt } from './run-context.js';

const schema = z.object({
  ...datasetPathsShape,
  mutants: z.string().optional(),
  out: z.string().optional(),
  compareValues: z.boolean().default(false),
  fold: z.string().optional(),
  shrinkQuestions: countOption,
  failAbove: z.array(z.string()).default([]),
  seed: seedOption.default(0),
  dryRun: z.boolean().default(false),
});

const PRODUCTS = ['report.html', 'report.json', 'cases.jsonl', 'answers.jsonl'];

function show(
  { report, open, fresh }: ConsistencyOutcome,
  out: string,
  rules: readonly FailAboveRule[],
): CommandResult {
  const failures = ruleFailures(report, rules);
  const lines = [
    ...(fresh ? [] : ['already complete:']),
    ...renderConsistencyTable(report),
    ...(open === 0 ? [] : [`failed: ${open} questions are open; the same command asks them again`]),
    ...failures.map((message) => `failed: ${message}`),
    ...PRODUCTS.map((name) => `  ${join(out, name)}`),
  ];
  for (const line of lines) console.log(line);
  return failures.length === 0 && open === 0 ? undefined : 'failed-check';
}

/** Not the parser's to ask for: it would ask `consistency compare` for it, too. */
function requireMutants(mutants: string | undefined): string {
  if (mutants !== undefined) return mutants;
  throw new ConfigError('option --mutants is missing', { fix: 'Make some with `perturbql mutate` and name its run.' });
}

/** `perturbql consistency`. */
export async function run(raw: RawOptions): Promise<CommandResult> {
  const { dryRun, out, mutants, compareValues, fold, failAbove, ...given } = parseOptions(schema, raw);
  const rules = parseFailAbove(failAbove);
  const options = {
    ...given,
    ...parseScoring(raw),
    mutants: requireMutants(mutants),
    out: requireOut(out),
    values: compareValues ? ('compared' as const) : ('ignored' as const),
    fold: fold === undefined ? null : parseFold(fold, given.seed),
    victim: parseVictim(raw),
  };
  requireKnownRelations(rules, options.mutants);
  return withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    try {
      if (dryRun) {
        for (const line of await foreseeConsistency(options)) console.log(line);
        return;
      }
      const outcome = await consistency(options, host);
      host.stop();
      return show(outcome, options.out, rules);
    } finally {
      host.stop();
    }
  });
}
