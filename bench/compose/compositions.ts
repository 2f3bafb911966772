import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openComposeParts } from '../../src/cli/compose-parts.js';
import { type ComposeInput, withComposeDefaults } from '../../src/compositional/compose/compose-options.js';
import {
  type ComposedItem,
  type ComposeInputs,
  ComposeJob,
  openComposeInputs,
} from '../../src/compositional/compose/compose-job.js';
import { COMPOSITION_KINDS } from '../../src/formats/artifacts/compositions.js';
import { type ComposeReport, reportCompositions } from '../../src/compositional/compose/report/compose-report.js';
import { NOOP_HOST } from '../../src/run/run-host.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { alignAll, measureRules } from './composition-rate.js';
import { type CompositionSet, compositionSets } from './composition-sets.js';

const LEVELS = ['easy', 'medium', 'hard', 'extra'] as const;
type Cells = Readonly<Record<string, number | string | null>>;

const COLUMNS = {
  elements: { head: 'elements', decimals: 0 },
  total: { head: 'questions', decimals: 0 },
  factor: { head: 'of the paper’s', decimals: 2 },
  ...Object.fromEntries(LEVELS.map((level) => [level, { head: `${level}, %`, decimals: 1 }])),
};

/** Composes a set as the command does, without writing it. */
async function composeSet(
  input: ComposeInput,
  inputs: ComposeInputs,
  parts: Awaited<ReturnType<typeof openComposeParts>>,
): Promise<ComposeReport> {
  const run = new ComposeJob(withComposeDefaults(input), inputs, parts, NOOP_HOST);
  try {
    const items: ComposedItem[] = [];
    for (const [id, own] of inputs.examples) items.push(await run.compose(id, own));
    const kept = items.flatMap(({ examples }) => examples);
    const given = { dataset: inputs.dataset, items, kept, executed: run.executes };
    return reportCompositions({ ...given, samples: [], split: null, warnings: [], leftOut: [] });
  } finally {
    await run.close();
  }
}

/** Counts of what was composed next to the paper's. */
function countRows(
  name: string,
  { written, elements }: ComposeReport,
  { paper }: CompositionSet,
): Record<string, Cells> {
  const rows = COMPOSITION_KINDS.map((kind) => {
    const { total, hardness } = written[kind];
    const shares = LEVELS.map((level) => [level, total === 0 ? 0 : ((hardness[level] ?? 0) / total) * 100]);
    const factor = paper === null ? null : total / paper[kind].total;
    return [`${name}-${kind}`, { elements, total, factor, ...(Object.fromEntries(shares) as Cells) }] as const;
  });
  return Object.fromEntries(rows);
}

/** How many drafts each rule was the first to refuse, in the order of the rules. */
function funnelColumn(
  { rules, draftsByKind, written }: ComposeReport,
  kind: 'SUB' | 'APP',
): readonly [string, number][] {
  return [
    ['drafts', draftsByKind[kind]],
    ...rules.map(({ id, refusedByKind }): [string, number] => [id, refusedByKind[kind]]),
    ['composed', written[kind].total],
  ];
}

function funnelTable(id: string, title: string, reports: Readonly<Record<string, ComposeReport>>): FigureTable {
  const rows: Record<string, Record<string, number>> = {};
  for (const [name, report] of Object.entries(reports)) {
    for (const kind of COMPOSITION_KINDS) {
      for (const [rule, count] of funnelColumn(report, kind)) (rows[rule] ??= {})[`${name}-${kind}`] = count;
    }
  }
  const names = Object.keys(reports).flatMap((name) => COMPOSITION_KINDS.map((kind) => [name, kind] as const));
  return {
    id: `${id}-rules`,
    title: `Pairs of elements of ${title} that rules refuse`,
    about: 'Drafts that each rule is the first to refuse, in the order in which the rules are asked.',
    columns: Object.fromEntries(names.map(([name, kind]) => [`${name}-${kind}`, { head: `${name}, CG-${kind}` }])),
    rows,
  };
}

/** Composes of one set from people's annotation, where there is one, and from our own parser, splitter and aligner. */
async function measureSet(
  name: string,
  set: CompositionSet,
  scratch: string,
  { tell }: BenchOutput,
): Promise<readonly FigureTable[]> {
  const rows: Record<string, Cells> = {};
  const reports: Record<string, ComposeReport> = {};
  if (set.paper !== null)
    for (const kind of COMPOSITION_KINDS) rows[`paper-${kind}`] = { ...set.paper[kind], factor: 1 };
  for (const annotations of new Set([set.annotations, null])) {
    const from = annotations === null ? 'automatic' : 'annotated';
    const { dataset, tables, examples, databases } = set;
    const input = { dataset, tables, examples, databases, annotations, out: join(scratch, `${name}-${from}`) };
    const inputs = await openComposeInputs(withComposeDefaults(input));
    const parts = await openComposeParts(annotations);
    try {
      const { paper, all } = measureRules(await alignAll(inputs, parts.source), parts.fluency);
      for (const kind of COMPOSITION_KINDS) {
        const factor = set.paper === null ? null : paper[kind] / set.paper[kind].total;
        rows[`${from}-appendix-a-${kind}`] = { total: paper[kind], factor };
      }
      rows[`${from}-rate`] = { total: all.perSecond };
      tell(`${name}, ${from}: ${all.SUB + all.APP} before execution, ${Math.round(all.perSecond)} a CPU second`);
      const report = await composeSet(input, inputs, parts);
      reports[from] = report;
      Object.assign(rows, countRows(from, report, set));
    } finally {
      await parts.source.dispose?.();
    }
  }
  const id = `compose-${name}`;
  const about = `Questions composed of ${set.title} by kind${set.paper === null ? '' : ', next to Spider-CG’s (§3.1, Table 3)'}: from our parser, splitter and aligner (\`automatic\`)${set.annotations === null ? '' : ', and from Spider-SS’s own annotation (`annotated`)'}; by the paper’s rules alone (\`appendix-a\`, not executed), and by all rules${set.databases === null ? ', not executed, as the databases are not at hand' : ' with execution, which leaves out the databases that are not at hand'}. \`rate\`: compositions with SQL in a CPU second, by all rules with fluency, without execution.`;
  return [
    { id, title: `Compositions of ${set.title}`, about, columns: COLUMNS, rows },
    funnelTable(id, set.title, reports),
  ];
}

/** Compositions of the named sets; each set's figures are tables of their own. */
export async function runCompositionsBench(
  args: readonly string[],
  root: string,
  output: BenchOutput,
  names: readonly string[],
): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: 'string' }, part: { type: 'string' } } });
  const sets = compositionSets(resolve(root, values.data ?? '../shared/data'));
  const scratch = mkdtempSync(join(tmpdir(), 'compose-'));
  try {
    for (const name of names) {
      const set = sets[name];
      if (set === undefined) continue;
      for (const table of await measureSet(name, set, scratch, output)) {
        output.print(JSON.stringify(table.rows, null, 2));
        output.record(table);
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
