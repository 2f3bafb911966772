import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examplesNamed, leftOutOf } from '../../formats/dataset.js';
import { describeEstimate } from '../../llm/create-proposer.js';
import { estimateFluency, type FluencyChoice } from '../../llm/fluency-judge.js';
import { findUnusable, type UnusableDatabase } from '../../variants/databases/unusable-databases.js';
import { renderDocument } from '../../report/document/render-document.js';
import { countNoun, formatCount, tally } from '../../counts.js';
import { describeLeftOut, groupByReason } from '../../report/left-out.js';
import { RunFolder } from '../../run/run-folder.js';
import { inPhase, type RunHost, NOOP_HOST } from '../../run/run-host.js';
import { leaveScratch } from '../../run/working-folders.js';
import { ownGroups } from '../../run/shard.js';
import { type ComposeInput, type ComposeOptions, withComposeDefaults } from './compose-options.js';
import {
  allLeftOut,
  type ComposedItem,
  composeManifest,
  type ComposeInputs,
  type ComposeParts,
  ComposeJob,
  openComposeInputs,
} from './compose-job.js';
import type { ComposedExample } from '../../formats/artifacts/compositions.js';
import { type ComposeReport, composedSamples, loadComposeReport, reportCompositions } from './report/compose-report.js';
import { composeDocument } from './report/compose-document.js';
import { writeComposed } from './compose-output.js';
import { createRng, shuffled } from '../../seeded-rng.js';

export interface ComposeOutcome {
  readonly report: ComposeReport;
  /** Databases without a file that holds them: no gold queries are executed there, so nothing of theirs is composed. */
  readonly unusable: readonly UnusableDatabase[];
  /** False where an earlier run of the same configuration had finished, and nothing was done. */
  readonly fresh: boolean;
}

/**
 * Composes new questions with gold queries of the sub-sentences of a data set's questions (Spider-SS §3): CG-SUB
 * substitutes, CG-APP appends. Writes a data set of `augment`'s shape. Deterministic for its seed. The same call again
 * resumes an interrupted run, database by database; a finished one is left as it is.
 * @throws InputFormatError, ConfigError, ModelFileError or RunFolderError: see each class
 */
export async function composeQuestions(
  input: ComposeInput,
  parts: ComposeParts,
  host: RunHost = NOOP_HOST,
): Promise<ComposeOutcome> {
  const options = withComposeDefaults(input);
  const inputs = await inPhase(host, 'reading inputs', () => openComposeInputs(options));
  const unusable = options.verify ? findUnusable(inputs.dataset, options.databases) : [];
  const manifest = await composeManifest(options, inputs, parts);
  return RunFolder.use<ComposedItem, ComposeOutcome>(options.out, manifest, {
    shard: options.shard,
    read: () => ({ report: loadComposeReport(options.out), unusable, fresh: false }),
    work: async (folder) => {
      const run = new ComposeJob(options, inputs, parts, host);
      try {
        for (const note of inputs.dataset.notes ?? []) host.note(`warning: ${note}`);
        const items = await composeAll(run, ownGroups(options.shard, inputs.examples), folder.journal, host);
        folder.endShard();
        return { report: await writeProducts(items, inputs, options, folder, run), unusable, fresh: true };
      } finally {
        await run.close();
        leaveScratch(options.out);
      }
    },
  });
}

/**
 * Describes a run in lines for people: it composes to count, as no bound that is known before is near the count. No
 * language model is asked, and no run is begun. @throws as `composeQuestions`
 */
export async function previewCompositions(
  input: ComposeInput,
  parts: ComposeParts,
  askFluency: FluencyChoice | null,
  host: RunHost = NOOP_HOST,
): Promise<readonly string[]> {
  const options = withComposeDefaults(input);
  const inputs = await inPhase(host, 'reading inputs', () => openComposeInputs(options));
  const scratch = mkdtempSync(join(tmpdir(), 'perturbql-compose-'));
  const run = new ComposeJob({ ...options, out: scratch }, inputs, { ...parts, asked: null }, host);
  try {
    const items = await composeAll(run, ownGroups(options.shard, inputs.examples), null, host);
    const made = items.flatMap(({ examples }) => examples);
    const kept = options.budget !== null && options.budget < made.length ? `, of which ${options.budget} are kept` : '';
    return [
      `${countNoun(inputs.dataset.size, 'example')} on ${countNoun(inputs.examples.size, 'database')}`,
      `at most ${countNoun(made.length, 'composed question')}${kept}`,
      ...(made.length === 0 ? [whyNothing(items)] : []),
      ...describeAsking(askFluency, made),
    ];
  } finally {
    await run.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Describes the maximum cost of asking a language model: it is asked last, of each question that all rules keep. */
function describeAsking(choice: FluencyChoice | null, made: readonly ComposedExample[]): readonly string[] {
  if (choice === null) return [];
  const characters = made.reduce((sum, { question }) => sum + question.length, 0);
  const ofEach = Math.ceil(characters / Math.max(1, made.length));
  return [describeEstimate(estimateFluency(choice, made.length, ofEach))];
}

/** Composes database by database; `journal` has what an earlier run finished, null where nothing is kept. */
async function composeAll(
  run: ComposeJob,
  examples: ComposeInputs['examples'],
  journal: Pick<RunFolder<ComposedItem>['journal'], 'get' | 'append'> | null,
  host: RunHost,
): Promise<readonly ComposedItem[]> {
  const items: ComposedItem[] = [];
  let made = 0;
  for (const [id, own] of examples) {
    host.signal.throwIfAborted();
    host.progress('databases composed', items.length, examples.size, countNoun(made, 'question'));
    let item = journal?.get(id);
    if (item === undefined) {
      item = await run.compose(id, own);
      journal?.append(id, item);
    }
    items.push(item);
    made += item.examples.length;
  }
  host.progress('databases composed', items.length, examples.size, `${formatCount(made)} questions`);
  return items;
}

/** Describes databases whose gold queries can't be executed. */
function describeRowless({ dataset, examples }: ComposeInputs): readonly string[] {
  const rowless = [...examples.keys()].filter((id) => !dataset.hasRows(id));
  const what = countNoun(rowless.length, 'database');
  return rowless.length === 0
    ? []
    : [`nothing was composed of ${what} without rows; --no-verify executes no gold queries`];
}

/** Returns the reason that no question was composed. */
function whyNothing(items: readonly ComposedItem[]): string {
  const sum = (of: (item: ComposedItem) => number): number => items.reduce((total, item) => total + of(item), 0);
  const elements = sum((item) => item.elements);
  if (elements === 0) {
    return 'nothing was composed: no question ends in a part of its own that says conditions, an order or a set operation';
  }
  const drafts = sum(({ tally }) => tally.drafts.SUB + tally.drafts.APP);
  return drafts === 0
    ? 'nothing was composed: no two elements of a database modify the same noun'
    : 'nothing was composed: rules refused every pair of elements; the report counts them';
}

async function writeProducts(
  items: readonly ComposedItem[],
  inputs: ComposeInputs,
  options: ComposeOptions,
  folder: RunFolder<ComposedItem>,
  run: Pick<ComposeJob, 'executes' | 'addRows'>,
): Promise<ComposeReport> {
  const { budget, hardness: shares, seed } = options;
  const all = items.flatMap(({ examples }) => examples);
  const kept = budget === null && shares === null ? all : sampleByHardness(all, { budget, shares, seed });
  const templates = new Set(items.flatMap((item) => item.templates));
  const written = writeComposed(kept, inputs, options, templates, folder);
  const warnings = [
    ...(inputs.dataset.notes ?? []),
    ...describeLeftOut(leftOutOf(inputs.dataset)),
    ...written.warnings,
    ...(run.executes ? describeRowless(inputs) : []),
    ...(all.length === 0 ? [whyNothing(items)] : []),
  ];
  const made = { items, dataset: inputs.dataset, kept: written.kept };
  const report = reportCompositions({
    ...made,
    ...examplesNamed(options),
    samples: await run.addRows(composedSamples(made)),
    split: written.split,
    executed: run.executes,
    warnings,
    leftOut: groupByReason(allLeftOut(inputs, items)),
  });
  folder.write('report.json', `${JSON.stringify(report, null, 2)}\n`);
  folder.write('report.html', renderDocument(composeDocument(report)));
  return report;
}

/** How many compositions are kept: at most `budget`, by `shares` of hardness where they are given. */
interface CompositionBudget {
  readonly budget: number | null;
  /** Parts of each level, of any sum ("easy": 2.4, …); null = as they come. */
  readonly shares: Readonly<Record<string, number>> | null;
  readonly seed: number;
}

/** How many of each level make the largest set that has the shares, within the budget. */
function quotas(
  counts: ReadonlyMap<string, number>,
  shares: Readonly<Record<string, number>>,
  budget: number | null,
): ReadonlyMap<string, number> {
  const wanted = Object.entries(shares).filter(([, share]) => share > 0);
  const sum = wanted.reduce((total, [, share]) => total + share, 0);
  const most = Math.min(...wanted.map(([level, share]) => ((counts.get(level) ?? 0) * sum) / share));
  const size = Math.min(budget ?? Infinity, most);
  return new Map(wanted.map(([level, share]) => [level, Math.floor((size * share) / sum + 1e-9)]));
}

/** The compositions that a budget keeps, drawn by the seed, in their order. */
export function sampleByHardness(
  examples: readonly ComposedExample[],
  { budget, shares, seed }: CompositionBudget,
): readonly ComposedExample[] {
  const drawn = shuffled(examples, createRng(seed, 'compositions'));
  const kept = new Set<ComposedExample>();
  if (shares === null) {
    for (const example of drawn.slice(0, budget ?? drawn.length)) kept.add(example);
  } else {
    const levelOf = ({ hardness }: ComposedExample): string => hardness ?? 'unknown';
    const left = new Map(quotas(tally(examples.map(levelOf)), shares, budget));
    for (const example of drawn) {
      const open = left.get(levelOf(example)) ?? 0;
      if (open <= 0) continue;
      left.set(levelOf(example), open - 1);
      kept.add(example);
    }
  }
  return examples.filter((example) => kept.has(example));
}
