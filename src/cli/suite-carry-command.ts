import { z } from 'zod';
import { countNoun, formatCount } from '../report/figures.js';
import type { CarriedReport } from '../testsuite/carry/carried-report.js';
import { carrySuite } from '../testsuite/carry/carry-suite.js';
import { ConsoleHost } from './console-host.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseOptions, withInterrupt } from './run-context.js';

const schema = z.object({ run: z.string().min(1), out: z.string().min(1), json: z.boolean().default(false) });

/** Faults that are shown; all of them are in `carry.json`. */
const SHOWN_FAULTS = 10;

function renderReport({ originals, variants, golds, unread, faults }: CarriedReport, out: string): readonly string[] {
  const more = faults.length - SHOWN_FAULTS;
  return [
    `carried over to ${countNoun(variants, 'variant')} of ${countNoun(originals, 'schema')}, with ${countNoun(golds, 'gold query', 'gold queries')}: ${out}`,
    ...(unread > 0
      ? [
          `not carried over: ${countNoun(unread, 'gold query', 'gold queries')}, for the reasons in the variants' schemas/*.json`,
        ]
      : []),
    ...faults
      .slice(0, SHOWN_FAULTS)
      .map(({ dbId, place, sql, detail }) => `wrong: ${dbId}${sql === null ? '' : `, ${place}: ${sql}`}: ${detail}`),
    ...(more > 0 ? [`and ${formatCount(more)} more, in carry.json`] : []),
  ];
}

/** `perturbql suite carry`. */
export async function run(raw: RawOptions, suite: string): Promise<CommandResult> {
  const { run: folder, out, json } = parseOptions(schema, raw);
  return withInterrupt(async (signal): Promise<CommandResult> => {
    const host = new ConsoleHost(signal);
    const { report, fresh } = await carrySuite({ suite, run: folder, out }, host).finally(() => host.stop());
    if (!fresh) host.note('this suite was carried over before: nothing to do');
    if (json) console.log(JSON.stringify(report, null, 2));
    else for (const line of renderReport(report, out)) console.log(line);
    return report.faults.length === 0 ? undefined : 'failed-check';
  }, true);
}
