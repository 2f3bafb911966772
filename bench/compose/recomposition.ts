import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { attack } from '../../src/measure/attack/attack.js';
import type { AttackReport } from '../../src/measure/attack/attack-report.js';
import { openComposeParts } from '../../src/cli/compose-parts.js';
import { composeQuestions } from '../../src/compositional/compose/compose.js';
import { COMPOSITION_KINDS } from '../../src/formats/artifacts/compositions.js';
import { PUBLISHED } from '../../src/measure/compositions/recomposition-section.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../src/victims/scoring.js';

type Row = Record<string, number | string | null>;

/** What a column is called: "exact-SUB". */
const columnOf = (metric: AnswerMetric, set: string): string => `${metric}-${set}`;

const METRIC_HEADS = { exact: 'exact', execution: 'execution' } as const;

const COLUMNS: FigureTable['columns'] = {
  model: { head: 'model' },
  ...Object.fromEntries(
    ANSWER_METRICS.flatMap((metric) =>
      ['dev', ...COMPOSITION_KINDS].map((set) => [
        columnOf(metric, set),
        { head: `${METRIC_HEADS[metric]}, ${set}, %`, decimals: 1 },
      ]),
    ),
  ),
  questions: { head: 'SUB + APP' },
  ...Object.fromEntries(
    COMPOSITION_KINDS.flatMap((kind) => [
      [`parents-${kind}`, { head: `exact on the parents of ${kind}, %`, decimals: 1 }],
      [`broken-${kind}`, { head: `${kind} wrong where both parents are right, %` }],
    ]),
  ),
};

/** The paper's models, in the order of its tables. */
function publishedRows(): Record<string, Row> {
  const rows: Record<string, Row> = {};
  for (const metric of ANSWER_METRICS) {
    for (const { model, dev, SUB, APP } of PUBLISHED[metric]) {
      const row = (rows[model] ??= { model });
      row[columnOf(metric, 'dev')] = dev;
      row[columnOf(metric, 'SUB')] = SUB;
      row[columnOf(metric, 'APP')] = APP;
    }
  }
  return rows;
}

const percent = (share: number | undefined): number | null => (share === undefined ? null : share * 100);

function parserRow(model: string, { scores, compositions }: AttackReport): Row {
  const row: Row = { model };
  for (const metric of ANSWER_METRICS) {
    row[columnOf(metric, 'dev')] = percent(scores.find((score) => score.metric === metric)?.accuracy);
    for (const kind of COMPOSITION_KINDS) {
      row[columnOf(metric, kind)] = percent(compositions?.kinds[kind]?.[metric]?.children);
    }
  }
  const counts = COMPOSITION_KINDS.map((kind) => compositions?.kinds[kind]?.cases ?? 0);
  row['questions'] = counts.join(' + ');
  for (const kind of COMPOSITION_KINDS) {
    const exact = compositions?.kinds[kind]?.exact;
    const rate = exact?.rate;
    row[`parents-${kind}`] = percent(exact?.parents);
    const ends = rate && [rate.mean, rate.low ?? NaN, rate.high ?? NaN].map((share) => (100 * share).toFixed(1));
    row[`broken-${kind}`] = ends ? `${ends[0] ?? ''} (${ends[1] ?? ''} to ${ends[2] ?? ''})` : null;
  }
  return row;
}

/** Composes Spider dev and asks the built-in parser, which has learned Spider's train, dev and the compositions. */
async function measureParser(data: string, annotations: string | null, scratch: string): Promise<AttackReport> {
  const paths = {
    tables: join(data, 'spider/tables.json'),
    examples: join(data, 'spider/dev.json'),
    databases: join(data, 'spider/database'),
  };
  const composed = join(scratch, 'composed');
  const parts = await openComposeParts(annotations);
  try {
    await composeQuestions({ ...paths, annotations, out: composed }, parts);
  } finally {
    await parts.source.dispose?.();
  }
  const victim = { kind: 'baseline', train: join(data, 'spider/train.json') } as const;
  const { report } = await attack({
    ...paths,
    candidates: null,
    compositions: composed,
    victim,
    out: join(scratch, 'asked'),
  });
  return report;
}

/** The built-in parser on dev, CG-SUB and CG-APP next to Tables 5 and 7 of Spider-SS. */
export async function runRecompositionBench(
  args: readonly string[],
  root: string,
  { print, tell, record }: BenchOutput,
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: 'string' }, part: { type: 'string' } } });
  const data = resolve(root, values.data ?? '../shared/data');
  const rows = publishedRows();
  const sources = { annotated: join(data, 'spider-ss/dev.json'), automatic: null } as const;
  for (const [name, annotations] of Object.entries(sources)) {
    tell(`built-in parser: ${name}`);
    const scratch = mkdtempSync(join(tmpdir(), 'recomposition-'));
    try {
      rows[name] = parserRow(`built-in parser, ${name}`, await measureParser(data, annotations, scratch));
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  print(JSON.stringify(rows, null, 2));
  record({
    id: 'compose-models',
    title: 'Models on composed questions',
    about:
      "Accuracy on Spider dev and on what was composed of it, next to Spider-SS's Tables 5 (exact match) and 7 (execution), whose models are asked Spider-CG's own 2,883 and 3,237 questions. The built-in parser has learned Spider's 7,000 training questions; it is asked compositions of Spider-SS's annotation (`annotated`) and of automatic alignment (`automatic`), all executed. Parents: the same model on the two questions that each composition was made of; the last columns by exact match with 95% intervals.",
    columns: COLUMNS,
    rows,
  });
}
