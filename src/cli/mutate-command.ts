import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { mutate, foreseeMutants } from '../metamorphic/mutate.js';
import { areGoldsEqual, type MutateReport, type ReportedRelation } from '../metamorphic/mutate-report.js';
import { RELATION_IDS, type RelationId } from '../metamorphic/relation.js';
import { SAMPLING_STRATEGIES } from '../metamorphic/sampling/sampling.js';
import { formatCount } from '../report/figures.js';
import { ConsoleHost } from './console-host.js';
import { datasetPathsShape } from './dataset-options.js';
import { positiveOption } from './number-options.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseCommonOptions, parseOptions, withInterrupt } from './run-context.js';

/** Gold queries and databases with a fault that are shown. */
const SHOWN = 10;

const path = z.string().nullable().default(null);

const schema = z.object({
  ...datasetPathsShape,
  relations: z.string().optional(),
  relation: z.array(z.string()).default([]),
  limit: positiveOption,
  compose: positiveOption,
  guard: z.boolean(),
  materialize: z.boolean().default(false),
  sample: z.enum(SAMPLING_STRATEGIES).nullable().default(null),
  budget: positiveOption.nullable().default(null),
  rates: path,
  asTraining: z.boolean().default(false),
  graph: path,
  candidates: path,
  out: z.string(),
  dryRun: z.boolean().default(false),
});

/** "PI,CRm" in any letter case, in the paper's order; "none" where only the user's own are wanted. */
function parseRelations(text: string | undefined): readonly RelationId[] {
  if (text === undefined) return RELATION_IDS;
  const names = text === 'none' ? [] : text.split(',').map((name) => name.trim());
  const known = new Map(RELATION_IDS.map((id) => [id.toLowerCase(), id]));
  const unknown = names.find((name) => !known.has(name.toLowerCase()));
  if (unknown !== undefined) {
    throw new ConfigError(`there is no relation "${unknown}"`, { fix: `Known: ${RELATION_IDS.join(', ')}, or none.` });
  }
  const wanted = new Set(names.map((name) => known.get(name.toLowerCase())));
  return RELATION_IDS.filter((id) => wanted.has(id));
}

/** `; dropped: 3 contradicts its seed`; nothing where there is no reason. */
function renderReasons(what: string, reasons: Readonly<Record<string, number>>): string {
  const parts = Object.entries(reasons).map(([reason, n]) => `${formatCount(n)} ${reason}`);
  return parts.length === 0 ? '' : `; ${what}: ${parts.join(', ')}`;
}

/** A line per relation: mutants, golds that have no form on the changed schema, and what was dropped. */
function renderRelation([id, relation]: [string, ReportedRelation]): string {
  const { name, cases, applied, unexpressible, dropped } = relation;
  const gone = renderReasons('gold has no form', unexpressible) + renderReasons('dropped', dropped);
  return `  ${id.padEnd(4)} ${formatCount(cases).padStart(7)}  ${name}, of ${formatCount(applied)} examples${gone}`;
}

/** A line for all compositions of as many relations: there are a hundred of two. */
function renderComposed(relations: MutateReport['relations']): readonly string[] {
  const orders = new Map<number, number>();
  for (const [key, { cases }] of Object.entries(relations)) {
    const order = key.split('+').length;
    if (order > 1) orders.set(order, (orders.get(order) ?? 0) + cases);
  }
  return [...orders].map(([order, n]) => `  ${order} relations one after another: ${formatCount(n)}`);
}

function renderExecution({ databases }: MutateReport): readonly string[] {
  if (databases === null) return [];
  const { unwritten, verification } = databases;
  const executed = Object.values(verification.relations).flatMap((tally) => Object.values(tally));
  const total = executed.reduce((sum, n) => sum + n, 0);
  return [
    `  ${formatCount(total)} gold queries executed, ${formatCount(total - verification.items.length)} with the result of their seed’s`,
    ...verification.items.slice(0, SHOWN).map(({ id, verdict, detail }) => `  ${id}: ${verdict} ${detail ?? ''}`),
    ...unwritten.slice(0, SHOWN).map(({ id, reason }) => `  no database ${id}: ${reason}`),
  ];
}

function renderReport(report: MutateReport): readonly string[] {
  const { relations, total, fluency } = report;
  const kept = total.written === total.cases ? '' : `, ${formatCount(total.written)} kept`;
  const mutants = fluency.mutants === null ? '' : `, of its mutants’ ${fluency.mutants.toFixed(3)}`;
  return [
    `${formatCount(total.cases)} mutants${kept}, on ${formatCount(total.schemas)} schemas of their own`,
    ...Object.entries(relations)
      .filter(([key]) => !key.includes('+'))
      .map(renderRelation),
    ...renderComposed(relations),
    `  fluency of the data set’s questions ${fluency.seeds.toFixed(3)}${mutants}`,
    ...renderExecution(report),
    ...report.warnings.map((warning) => `  note: ${warning}`),
  ];
}

/** `perturbql mutate`. */
export async function run(raw: RawOptions): Promise<CommandResult> {
  const { relations, relation, dryRun, ...given } = parseOptions(schema, raw);
  const { seed, settings, workers, device, cacheFolder } = parseCommonOptions(raw);
  const common = { seed, settings, workers, device, cacheFolder };
  const options = { ...given, ...common, relations: parseRelations(relations), relationFiles: relation };
  return withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    try {
      if (dryRun) {
        const lines = await foreseeMutants(options, host);
        host.stop();
        for (const line of lines) console.log(line);
        return;
      }
      const { report, fresh } = await mutate(options, host);
      host.stop();
      const [first = '', ...rest] = renderReport(report);
      console.log(`${fresh ? '' : 'already complete: '}${first}`);
      for (const line of rest) console.log(line);
      const training = options.asTraining ? ['examples.json', 'gold.sql'] : [];
      const products = ['mutants.jsonl', 'seeds.jsonl', 'tables.json', 'report.html', 'report.json', ...training];
      for (const name of products) console.log(`  ${join(options.out, name)}`);
      return areGoldsEqual(report) ? undefined : 'failed-check';
    } finally {
      host.stop();
    }
  });
}
