import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { InputFormatError } from '../../src/errors.js';
import { AUDIT_CLASS_NAMES, AUDIT_CLASSES } from '../../src/evaluate/audit/audit-classes.js';
import { auditDataset, type AuditOptions } from '../../src/evaluate/audit/audit-dataset.js';
import type { AuditReport } from '../../src/evaluate/audit/audit-report.js';
// Compiled because of this: the runner starts it as a process.
import type {} from '../../src/sql/execution/query-child.js';
import type {} from '../../src/sql/execution/query-watchdog.js';
import type { FigureTable } from '../bench-figures.js';
import { childSeconds, ownSeconds } from '../metrics/cpu-time.js';
import type { BenchOutput } from '../run-bench.js';

interface AuditedSet {
  readonly title: string;
  readonly paths: (data: string) => AuditOptions;
}

const spider = (examples: string) => (data: string) => ({
  tables: join(data, 'spider/tables.json'),
  examples: join(data, `spider/${examples}.json`),
  databases: join(data, 'spider/database'),
});

const SETS = {
  spiderTrain: { title: 'Spider train', paths: spider('train') },
  spiderDev: { title: 'Spider dev', paths: spider('dev') },
  birdDev: {
    title: 'BIRD dev',
    paths: (data) => ({
      dataset: 'bird',
      tables: join(data, 'bird/dev_tables.json'),
      examples: join(data, 'bird/dev.json'),
    }),
  },
} as const satisfies Readonly<Record<string, AuditedSet>>;

type SetName = keyof typeof SETS;
const NAMES = Object.keys(SETS) as readonly SetName[];

interface Measured {
  readonly report: AuditReport;
  readonly seconds: number;
  readonly cpuSeconds: number | null;
}

async function measure(name: SetName, data: string): Promise<Measured> {
  const paths = SETS[name].paths(data);
  if (!existsSync(paths.examples)) {
    throw new InputFormatError(`${SETS[name].title} is not there`, {
      fix: 'Give the folder that holds spider/ and bird/ with --data.',
      where: { file: paths.examples },
    });
  }
  const [started, own, children] = [performance.now(), ownSeconds(), childSeconds()];
  const report = await auditDataset({ ...paths, jobs: 1 });
  const seconds = (performance.now() - started) / 1000;
  const after = childSeconds();
  const cpuSeconds = children === null || after === null ? null : ownSeconds() - own + after - children;
  return { report, seconds, cpuSeconds };
}

const columns = (heads: readonly string[]): FigureTable['columns'] =>
  Object.fromEntries([
    ['class', { head: 'class' }],
    ...NAMES.flatMap((name) => heads.map((head) => [`${name}-${head}`, { head: `${SETS[name].title}, ${head}` }])),
  ]) as FigureTable['columns'];

function classTable(measured: ReadonlyMap<SetName, Measured>): FigureTable {
  const row = (name: (typeof AUDIT_CLASS_NAMES)[number]): FigureTable['rows'][string] => ({
    class: AUDIT_CLASSES[name].title,
    ...Object.fromEntries(
      [...measured].flatMap(([set, { report }]) => {
        const { findings, possible } = report.classes[name];
        return [
          [`${set}-findings`, findings],
          [`${set}-possible`, possible],
        ];
      }),
    ),
  });
  return {
    id: 'audit',
    title: 'Gold queries that can’t be trusted',
    about:
      'What `perturbql audit` finds in Spider (140 of its databases, 123 with rows, for train; 20 for dev) and in BIRD dev (11 schemas without rows): findings that rows show or that are certain by structure, and possible ones.',
    columns: columns(['findings', 'possible']),
    rows: Object.fromEntries(AUDIT_CLASS_NAMES.map((name) => [name, row(name)])),
  };
}

function costTable(measured: ReadonlyMap<SetName, Measured>): FigureTable {
  const rows = [...measured].map(([name, { report, seconds, cpuSeconds }]) => {
    const { examples, golds, doubtful, databasesWithRows } = report;
    return [
      name,
      { set: SETS[name].title, examples, golds, databasesWithRows, doubtful, seconds, cpuSeconds },
    ] as const;
  });
  return {
    id: 'audit-cost',
    title: 'Auditing a data set',
    about:
      'Examples, different gold queries and examples in doubt (an error or a warning), and what one process takes.',
    columns: {
      set: { head: 'data set' },
      examples: { head: 'examples' },
      golds: { head: 'different gold queries' },
      databasesWithRows: { head: 'databases with rows' },
      doubtful: { head: 'examples in doubt' },
      seconds: { head: 'seconds', decimals: 1 },
      cpuSeconds: { head: 'CPU s', decimals: 1 },
    },
    rows: Object.fromEntries(rows),
  };
}

/** Audits Spider and BIRD, and records findings by class and CPU. */
export async function runAuditBench(
  args: readonly string[],
  root: string,
  { print, tell, record }: BenchOutput,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: 'string' } } });
  const data = resolve(values.data ?? join(root, '../shared/data'));
  const measured = new Map<SetName, Measured>();
  for (const name of NAMES) {
    tell(`auditing ${SETS[name].title}`);
    const result = await measure(name, data);
    measured.set(name, result);
    const { examples, doubtful, findings } = result.report;
    print(
      `${SETS[name].title}: ${examples} examples, ${doubtful} in doubt, ${findings.length} findings, ${result.cpuSeconds?.toFixed(1) ?? '–'} CPU s`,
    );
  }
  record(classTable(measured));
  record(costTable(measured));
}
