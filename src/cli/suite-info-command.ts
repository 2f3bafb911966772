import { z } from 'zod';
import { defineCommand } from './command.js';
import { JSON_OPTION } from './shared-options.js';
import { SUITE_ARGUMENT } from './suite-shared.js';

/** `perturbql suite info`. */
export const command = defineCommand({
  options: z.object({ ...JSON_OPTION }),
  argument: SUITE_ARGUMENT,
  example: 'perturbql suite info SUITE',
  async run(_, { args: [folder = ''] }) {
    const [{ openSuite }, { readTiming }, { reportSuite }, { renderSuite }] = await Promise.all([
      import('../testsuite/suite/open-suite.js'),
      import('../testsuite/suite/timing.js'),
      import('../testsuite/report/suite-report.js'),
      import('./suite-lines.js'),
    ]);
    const suite = openSuite(folder);
    const schemas = suite.ids.flatMap((id) => suite.schema(id) ?? []);
    const report = reportSuite(folder, suite.manifest, schemas);
    return { json: { folder, ...report, seconds: readTiming(folder) }, lines: renderSuite(report) };
  },
});
