import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../src/errors.js';
import { writeDurably } from '../../src/run/durable-file.js';
import { VERSION } from '../../src/version.js';
import { correlate } from './correlate.js';
import { renderCorrelationLines } from './report/correlation-lines.js';
import { renderCorrelationPage } from './report/correlation-page.js';

/**
 * Sets exact match and execution against the suite over the models whose verdicts are given, a file each; prints tables,
 * and writes `report.html` and `report.json` into `--out`.
 * @throws ConfigError where the folder holds a run; InputFormatError where the files are not of one gold
 */
export function correlateVerdicts(args: readonly string[], print: (line: string) => void): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { names: { type: 'string' }, out: { type: 'string' } },
    allowPositionals: true,
  });
  const { out } = values;
  if (out !== undefined && existsSync(join(out, 'run.json'))) {
    throw new ConfigError(`option --out: ${out} holds a run`, { fix: 'Name another folder.' });
  }
  const names = values.names?.split(',').map((name) => name.trim());
  if (names?.includes('')) throw new ConfigError('option --names has an empty name', { fix: 'Name every model.' });
  const report = correlate(positionals, names ?? null);
  for (const line of renderCorrelationLines(report)) print(line);
  if (out === undefined) return;
  writeDurably(join(out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeDurably(join(out, 'report.html'), renderCorrelationPage(report, VERSION));
}
