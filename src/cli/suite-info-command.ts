import { openSuite } from '../testsuite/suite/open-suite.js';
import { readTiming } from '../testsuite/suite/timing.js';
import { reportSuite } from '../testsuite/report/suite-report.js';
import type { RawOptions } from './options.js';
import { renderSuiteSchemas, renderSuiteSummary } from './suite-lines.js';

/** `perturbql suite info`. */
export function run(raw: RawOptions, folder: string): Promise<void> {
  const suite = openSuite(folder);
  const report = reportSuite(
    folder,
    suite.manifest,
    suite.ids.map((id) => suite.schema(id)!),
  );
  const seconds = readTiming(folder);
  if (raw['json'] === true) console.log(JSON.stringify({ folder, ...report, seconds }, null, 2));
  else for (const line of [...renderSuiteSummary(report), ...renderSuiteSchemas(report, seconds)]) console.log(line);
  return Promise.resolve();
}
