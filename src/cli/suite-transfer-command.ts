import { z } from 'zod';
import { countNoun, formatCount } from '../counts.js';
import type { TransferReport } from '../testsuite/transfer/transfer-suite.js';
import { defineCommand } from './command.js';
import { text } from '../options/option-field.js';
import { JSON_OPTION } from './shared-options.js';
import { SUITE_ARGUMENT } from './suite-shared.js';

/** Faults that are shown; all of them are in `carry.json`. */
const SHOWN_FAULTS = 10;

function renderReport({ originals, variants, golds, unread, faults }: TransferReport, out: string): readonly string[] {
  const more = faults.length - SHOWN_FAULTS;
  return [
    `transferred to ${countNoun(variants, 'variant')} of ${countNoun(originals, 'schema')}, with ${countNoun(golds, 'gold query', 'gold queries')}: ${out}`,
    ...(unread > 0
      ? [
          `not transferred: ${countNoun(unread, 'gold query', 'gold queries')}, for the reasons in the variants' schemas/*.json`,
        ]
      : []),
    ...faults
      .slice(0, SHOWN_FAULTS)
      .map(({ dbId, place, sql, detail }) => `wrong: ${dbId}${sql === null ? '' : `, ${place}: ${sql}`}: ${detail}`),
    ...(more > 0 ? [`and ${formatCount(more)} more, in carry.json`] : []),
  ];
}

/** `perturbql suite transfer`. */
export const command = defineCommand({
  options: z.object({
    run: text(
      'dir',
      'finished run of augment, or inputs of attack prepare under one condition (RUN/inputs/RPL-0): their variants get a suite',
    ),
    out: text('dir', 'folder of the transferred suite; the same command again resumes it'),
    ...JSON_OPTION,
  }),
  argument: SUITE_ARGUMENT,
  example: 'perturbql suite transfer SUITE --run RUN --out SUITE-variants',
  onInterrupt: 'pauses',
  async run({ run, out }, { args: [suite = ''], host }) {
    const { transferSuite } = await import('../testsuite/transfer/transfer-suite.js');
    const { report, fresh } = await transferSuite({ suite, run, out }, host);
    if (!fresh) host.note('this suite was transferred before: nothing to do');
    return { json: report, lines: renderReport(report, out), failedCheck: report.faults.length > 0 };
  },
});
