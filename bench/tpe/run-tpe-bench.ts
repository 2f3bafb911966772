import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { locateModel } from '../../src/inference/model-store.js';
import { SentenceEncoder } from '../../src/inference/sentence-encoder.js';
import { EconomicalScorer, OnnxEntailmentScorer } from '../../src/nli/entailment-scorer.js';
import { createRng } from '../../src/seeded-rng.js';
import type { StageContext, TargetTable } from '../../src/stage.js';
import { EncoderTpe } from '../../src/tpe/encoder-tpe.js';
import { EntityHead } from '../../src/tpe/entity-head.js';
import { ZeroShotTpe } from '../../src/tpe/zero-shot-tpe.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { type LabeledSample, readSamples } from './labeled-tables.js';

const SEED = 1;
const ZERO_SHOT = 'zero-shot, judge';

/** What is asked of a way to find primary entities: its order of the labels, and what it would give. */
interface Contender {
  readonly name: string;
  rank(targets: readonly TargetTable[], context: StageContext): Promise<readonly (readonly string[])[]>;
  /** An empty text where it keeps to the table's name. */
  predict(targets: readonly TargetTable[], context: StageContext): Promise<readonly string[]>;
}

function contenderOf(name: string, tpe: ZeroShotTpe | EncoderTpe): Contender {
  return {
    name,
    rank: async (targets, context) =>
      (await tpe.rank(targets, context)).map((ranked) => ranked.map(({ label }) => label)),
    predict: (targets, context) => tpe.predict(targets, context),
  };
}

/** The labels by how many tables of a sample have them first: what guessing without a look would give. */
function commonestOf({ tables }: LabeledSample): Contender {
  const counts = new Map<string, number>();
  for (const { labels } of tables) if (labels.length > 0) counts.set(labels[0]!, (counts.get(labels[0]!) ?? 0) + 1);
  const order = [...counts].sort(([, a], [, b]) => b - a).map(([label]) => label);
  return {
    name: 'the commonest labels',
    rank: async (targets) => targets.map(() => order),
    predict: async (targets) => targets.map(() => order[0]!),
  };
}

/** How a contender fares on a sample. */
async function measure(
  contender: Contender,
  { id: sample, tables }: LabeledSample,
  context: StageContext,
): Promise<FigureTable['rows'][string]> {
  const targets = tables.map(({ target }) => target);
  const [ranked, given] = [await contender.rank(targets, context), await contender.predict(targets, context)];
  const judged = tables.map(({ labels }, i) => ({ labels, ranked: ranked[i]!, given: given[i]! }));
  const fitted = judged.filter(({ labels }) => labels.length > 0);
  const taken = fitted.filter((table) => table.given !== '');
  const share = <T>(of: readonly T[], holds: (table: T) => boolean): number | null =>
    of.length === 0 ? null : of.filter(holds).length / of.length;
  return {
    sample,
    way: contender.name,
    tables: fitted.length,
    top1: share(fitted, (table) => table.labels.includes(table.ranked[0]!)),
    top3: share(fitted, (table) => table.ranked.slice(0, 3).some((label) => table.labels.includes(label))),
    taken: share(fitted, (table) => table.given !== ''),
    right: share(taken, (table) => table.labels.includes(table.given)),
    unfit: judged.length - fitted.length,
    unfitTaken: judged.filter((table) => table.labels.length === 0 && table.given !== '').length,
  };
}

function figures(rows: FigureTable['rows']): FigureTable {
  return {
    id: 'tpe',
    title: 'Primary entities of tables without names',
    about:
      'Tables of TabFact and WikiTableQuestions, labeled by hand (bench/tpe/labels.tsv), and Spider’s tables that are named after a label; names and titles are hidden. ' +
      '“web” is drawn at random, one for each list of headers; “rare” is drawn from headers without words of sports, film and elections. Top 1 and top 3: the share whose first, or one of whose first three labels fits. ' +
      'Taken: the share where the label is used; elsewhere the table’s name stands. Unfit: tables that no label fits.',
    columns: {
      sample: { head: 'sample' },
      way: { head: 'way' },
      tables: { head: 'tables' },
      top1: { head: 'top 1', decimals: 3 },
      top3: { head: 'top 3', decimals: 3 },
      taken: { head: 'taken', decimals: 3 },
      right: { head: 'right of those', decimals: 3 },
      unfit: { head: 'unfit' },
      unfitTaken: { head: 'unfit, taken' },
    },
    rows,
  };
}

/**
 * Measures zero-shot prediction by the embedded judge (ADVETA appendix B.2) and the entity head on labeled tables. Without
 * the shared data it says so and does nothing. `root` is the project's folder.
 */
export async function runTpeBench(args: readonly string[], root: string, output: BenchOutput): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: 'string', default: join('..', 'shared', 'data') } },
  });
  const data = resolve(root, values.data);
  if (!existsSync(join(data, 'tables'))) {
    output.print(`bench:tpe skipped: no tables in ${relative(root, data)}`);
    return;
  }
  const samples = readSamples(data, join(root, 'bench', 'tpe', 'labels.tsv'));
  const context: StageContext = {
    signal: new AbortController().signal,
    rngFor: (itemId) => createRng(SEED, itemId),
    emit: () => undefined,
  };
  const scorer = new EconomicalScorer(new OnnxEntailmentScorer(locateModel('nli'), 1), null);
  const encoder = new SentenceEncoder(locateModel('table-context-encoder'), 1);
  const contenders = [
    commonestOf(samples[0]!),
    contenderOf(ZERO_SHOT, new ZeroShotTpe(scorer)),
    contenderOf('encoder and head', new EncoderTpe(encoder, EntityHead.open(encoder.model.sha256))),
  ];
  try {
    const rows: Record<string, FigureTable['rows'][string]> = {};
    for (const sample of samples) {
      for (const contender of contenders) {
        // The judge reads 48 pairs a table and was chosen on none of them.
        if (contender.name === ZERO_SHOT && sample.id.endsWith('development')) continue;
        const row = await measure(contender, sample, context);
        rows[`${sample.id} ${contender.name}`.toLowerCase().replace(/[^a-z0-9]+/g, '-')] = row;
        output.print(Object.values(row).join(' | '));
      }
    }
    output.record(figures(rows));
  } finally {
    await Promise.all([scorer.dispose(), encoder.dispose()]);
  }
}
