import { z } from 'zod';
import { countNoun, formatCount } from '../counts.js';
import type { SuiteFault } from '../testsuite/suite/suite-manifest.js';
import type { SuiteVerification } from '../testsuite/suite/verify-suite.js';
import { defineCommand } from './command.js';
import { JSON_OPTION } from './shared-options.js';
import { SUITE_ARGUMENT, SUITE_JOBS_OPTION } from './suite-shared.js';

/** Faults that are shown. */
const MAX_LISTED = 20;

const KINDS: Readonly<Record<SuiteFault['kind'], string>> = {
  missing: 'missing',
  damaged: 'damaged',
  denotation: 'another result',
  'told-apart': 'distinguished',
  constraint: 'not as the data',
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
    ...faults.slice(0, MAX_LISTED).map(renderFault),
    ...(faults.length > MAX_LISTED ? [`  and ${formatCount(faults.length - MAX_LISTED)} more; --json has all`] : []),
  ];
}

/** `perturbql suite verify`. */
export const command = defineCommand({
  options: z.object({
    ...SUITE_JOBS_OPTION,
    ...JSON_OPTION,
  }),
  argument: SUITE_ARGUMENT,
  example: 'perturbql suite verify SUITE',
  onInterrupt: 'stops',
  async run({ jobs }, { args: [suite = ''], host }) {
    const { verifySuite } = await import('../testsuite/suite/verify-suite.js');
    const verification = await verifySuite(suite, jobs, host);
    return {
      json: { suite, ...verification },
      lines: renderVerification(verification),
      failedCheck: verification.faults.length > 0,
    };
  },
});
