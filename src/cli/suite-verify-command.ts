import { z } from 'zod';
import { countNoun, formatCount } from '../report/figures.js';
import type { SuiteFault } from '../testsuite/suite/verify-job.js';
import { type SuiteVerification, verifySuite } from '../testsuite/suite/verify-suite.js';
import { ConsoleHost } from './console-host.js';
import { positiveOption } from './number-options.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseOptions, withInterrupt } from './run-context.js';

const schema = z.object({ jobs: positiveOption.optional(), json: z.boolean().default(false) });

/** Faults that are shown. */
const SHOWN = 20;

const KINDS: Readonly<Record<SuiteFault['kind'], string>> = {
  missing: 'missing',
  damaged: 'damaged',
  denotation: 'another result',
  'told-apart': 'told apart',
};

const times = (n: number): string => (n === 1 ? 'once' : `${formatCount(n)} times`);

function renderFault({ dbId, kind, place, sql, detail }: SuiteFault): string {
  return `  ${dbId}, ${place}: ${KINDS[kind]}: ${sql === null ? '' : `${sql}: `}${detail}`;
}

function renderVerification(verification: SuiteVerification): readonly string[] {
  const { schemas, databases, golds, goldRuns, goldSeconds, neighborRuns, faults, sqlite } = verification;
  const another =
    sqlite.here === sqlite.built ? '' : `; built with SQLite ${String(sqlite.built)}, checked with ${sqlite.here}`;
  return [
    faults.length === 0 ? 'the suite holds' : `the suite does not hold: ${countNoun(faults.length, 'fault')}`,
    `  ${countNoun(databases, 'database')} of ${countNoun(schemas, 'schema')}${another}`,
    `  ${countNoun(golds, 'gold query', 'gold queries')}, ${times(goldRuns)} in ${goldSeconds.toFixed(1)} s of one thread`,
    `  neighbors that are left, ${times(neighborRuns)}`,
    ...faults.slice(0, SHOWN).map(renderFault),
    ...(faults.length > SHOWN ? [`  and ${formatCount(faults.length - SHOWN)} more; --json has all`] : []),
  ];
}

/** `perturbql suite verify`. */
export async function run(raw: RawOptions, folder: string): Promise<CommandResult> {
  const { jobs, json } = parseOptions(schema, raw);
  return withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    try {
      const verification = await verifySuite(folder, jobs, host);
      host.stop();
      if (json) console.log(JSON.stringify({ suite: folder, ...verification }, null, 2));
      else for (const line of renderVerification(verification)) console.log(line);
      return verification.faults.length === 0 ? undefined : 'failed-check';
    } finally {
      host.stop();
    }
  }, false);
}
