// Makes the reports that the site shows, by the command line on examples/.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DATA = '--tables examples/tables.json --examples examples/dev.json --databases examples/database';

/** Commands in their order, what each writes for people, and the name of that on the site. */
const REPORTS = [
  [`augment ${DATA} --out RUN`, 'RUN/report.html', 'augment'],
  [
    `attack ${DATA} --candidates RUN --victim baseline --train examples/train.json --out RUN-attack`,
    'RUN-attack/report.html',
    'attack',
  ],
  [
    'evaluate --gold examples/gold.sql --predictions examples/pred.sql --tables examples/tables.json --databases examples/database --report evaluation.html',
    'evaluation.html',
    'evaluation',
  ],
];

export function makeReports(target) {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-reports-'));
  try {
    cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
    mkdirSync(target, { recursive: true });
    for (const [call, page, name] of REPORTS) {
      const args = [join(ROOT, 'dist/cli/main.js'), ...call.split(' '), '--quiet'];
      execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
      cpSync(join(folder, page), join(target, `${name}.html`));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
