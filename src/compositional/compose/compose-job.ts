import { join } from 'node:path';
import { ConfigError } from '../../errors.js';
import {
  type Dataset,
  type DatasetExample,
  type DatasetPaths,
  evidenceOf,
  groupExamples,
  leftOutOf,
  type SkippedExample,
} from '../../formats/dataset.js';
import type { FluencyModel } from '../../fluency/fluency-model.js';
import type { FluencyJudge } from '../../llm/fluency-judge.js';
import { loadDataset } from '../../formats/load-dataset.js';
import { requireDatabases, requireExamples } from '../../variants/candidates/candidates-run.js';
import { groupBy } from '../../run/group-by.js';
import type { RunManifest } from '../../run/run-folder.js';
import { createStageContext, type RunHost } from '../../run/run-host.js';
import { scratchFolder } from '../../run/working-folders.js';
import { hashRows } from '../../variants/databases/own-files.js';
import { VERSION } from '../../version.js';
import { joinKeysOf } from '../clauses/join-keys.js';
import type { AlignedSource } from './aligned-source.js';
import type { ComposeOptions } from './compose-options.js';
import { type ComposedDatabase, type ComposeSettings, DatabaseComposer, type HardnessOf } from './compose-questions.js';
import type { ComposedExample } from '../../formats/artifacts/compositions.js';
import type { ResultDifference } from '../../report/result-difference.js';
import { COMPOSITION_RULES } from './composition-rules.js';
import { ASKED_FLUENCY_RULE, EXECUTION_RULES, FLUENCY_RULE, FluencyCheck, JOIN_RULE } from './composition-checks.js';
import { ExecutedGolds, type GoldFiles, OtherRows } from './gold-results.js';
import { ROWS_ONCE_RULE } from './repeated-rows.js';
import { IDLE_JOIN_RULE } from './settle-joins.js';

/** The parts that the surface hands in: they belong to floors above, or are costly. */
export interface ComposeParts {
  readonly source: AlignedSource;
  readonly hardnessOf: HardnessOf;
  readonly fluency: FluencyModel;
  /**
   * Ids of the examples whose gold query is not to be composed of, each with what is wrong with it; left out: none is.
   */
  readonly distrust?: (options: ComposeOptions, host: RunHost) => Promise<ReadonlyMap<string, string>>;
  /** Null or left out: no language model is asked whether compositions read as people ask. */
  readonly asked?: Pick<FluencyJudge, 'fingerprint' | 'isFluent' | 'describe' | 'dispose'> | null;
}

/** The result for one database, with the questions that could not be aligned. */
export interface ComposedItem extends ComposedDatabase {
  readonly leftOut: readonly SkippedExample[];
}

/** The inputs of a run, read. */
export interface ComposeInputs {
  readonly dataset: Dataset;
  /** Questions that stand alone, by database, both in the data set's order. */
  readonly examples: ReadonlyMap<string, readonly DatasetExample[]>;
  /** Later turns of interactions: their questions say nothing by themselves. */
  readonly turns: readonly SkippedExample[];
}

/** @throws InputFormatError or ConfigError when an input is missing or wrong, or its SQL is another dialect's */
export async function openComposeInputs(options: DatasetPaths): Promise<ComposeInputs> {
  requireDatabases(options.databases);
  const dataset = await loadDataset(options);
  requireExamples(dataset, options);
  if (dataset.dialect.name !== 'sqlite') {
    throw new ConfigError(`gold queries in the SQL of ${dataset.dialect.name} can’t be composed`, {
      fix: 'Give a data set whose gold queries are SQLite’s.',
    });
  }
  const groups = [...groupExamples(dataset.examples())];
  const turns = groups.flatMap((group) => group.slice(1));
  return {
    dataset,
    examples: groupBy(
      groups.map(([first]) => first),
      ({ dbId }) => dbId,
    ),
    turns: turns.map(({ id }) => ({ id, reason: 'a later turn of an interaction' })),
  };
}

/** Every question that is not composed of, with the reason. */
export function allLeftOut(
  { dataset, turns }: ComposeInputs,
  items: readonly ComposedItem[],
): readonly SkippedExample[] {
  return [...leftOutOf(dataset), ...turns, ...items.flatMap(({ leftOut }) => leftOut)];
}

/** Returns the manifest that defines a run: a different one is refused in its folder. */
export async function composeManifest(
  options: ComposeOptions,
  inputs: ComposeInputs,
  { source, fluency, asked = null }: ComposeParts,
): Promise<Omit<RunManifest, 'complete'>> {
  const { depth, allowEmpty, distrusted, verify, budget, hardness, testShare, seed } = options;
  const rows = verify ? await hashRows(inputs.dataset, inputs.examples.keys()) : null;
  return {
    command: 'compose',
    version: VERSION,
    seed,
    settings: {
      dataset: inputs.dataset.format,
      depth,
      allowEmpty,
      distrusted,
      verify,
      budget,
      hardness,
      testShare,
      rules: [
        ...COMPOSITION_RULES.map(({ id }) => id),
        IDLE_JOIN_RULE.id,
        ROWS_ONCE_RULE.id,
        JOIN_RULE.id,
        FLUENCY_RULE.id,
        ...(asked === null ? [] : [ASKED_FLUENCY_RULE.id]),
        ...(verify ? Object.keys(EXECUTION_RULES) : []),
      ],
      alignment: { source: source.fingerprint, minConfidence: source.minConfidence },
      fluency: fluency.fingerprint,
      ...(asked === null ? {} : { askedFluency: asked.fingerprint }),
    },
    inputs: { ...inputs.dataset.fingerprints, ...(rows === null ? {} : { databases: rows }) },
  };
}

/**
 * The files that gold queries are executed on: the data set's own, and those with other rows that are made in a folder.
 */
function goldFilesIn(
  { dataset, examples }: Pick<ComposeInputs, 'dataset' | 'examples'>,
  scratch: string,
): (dbId: string) => GoldFiles {
  return (id) => {
    const [database, file] = [dataset.databases.get(id), dataset.sqliteFile(id, scratch)];
    if (database === undefined || file === null) return { file, otherRows: null };
    const goldQueries = [...new Set(examples.get(id)?.map(({ query }) => query))];
    return { file, otherRows: new OtherRows(join(scratch, 'other-rows', id), { database, file, goldQueries }) };
  };
}

/** A composition's query, those of its parents where they are known, and the rows that differ. */
interface ShownSample extends Pick<ComposedExample, 'db_id' | 'query'> {
  readonly asked?: readonly [{ readonly query: string }, { readonly query: string }];
  readonly rows?: { readonly parent: ResultDifference['gold']; readonly composed: ResultDifference['predicted'] };
}

/** Composes the questions of the data set, database by database; `known` has what an earlier run finished. */
export class ComposeJob {
  readonly #options: ComposeOptions;
  readonly #inputs: ComposeInputs;
  readonly #parts: ComposeParts;
  readonly #goldResults: ExecutedGolds | null;
  readonly #host: RunHost;
  #distrusted: Promise<ReadonlyMap<string, string>> | null = null;
  /** Asks whether a question reads as people ask. */
  readonly #reads: NonNullable<ComposeSettings['reads']> | null;

  constructor(options: ComposeOptions, inputs: ComposeInputs, parts: ComposeParts, host: RunHost) {
    const { dataset, examples } = inputs;
    this.#options = options;
    this.#inputs = inputs;
    this.#parts = parts;
    this.#host = host;
    const canRun = options.verify && [...examples.keys()].some((id) => dataset.hasRows(id));
    const context = createStageContext(options.seed, host);
    const { asked = null } = parts;
    this.#reads = asked === null ? null : (id, question) => asked.isFluent(id, question, context);
    const filesOf = goldFilesIn(inputs, scratchFolder(options.out));
    this.#goldResults = canRun ? new ExecutedGolds(filesOf, host, options.jobs) : null;
  }

  /** True if gold queries are executed. */
  get executes(): boolean {
    return this.#goldResults !== null;
  }

  async compose(id: string, examples: readonly DatasetExample[]): Promise<ComposedItem> {
    const { dataset } = this.#inputs;
    const { source, hardnessOf } = this.#parts;
    const { depth, allowEmpty } = this.#options;
    const database = dataset.databases.get(id);
    if (database === undefined) throw new RangeError(`no database ${id}`);
    const keys = joinKeysOf(
      database,
      examples.map(({ query }) => query),
    );
    const distrusted = await (this.#distrusted ??= this.#findDistrusted());
    const trusted = examples.filter((example) => !distrusted.has(example.id));
    const { questions, leftOut } = await source.align(trusted, database, keys, dataset);
    const hints = new Map(trusted.map((example) => [example.id, evidenceOf(example)]));
    const composer = new DatabaseComposer(database, keys, {
      depth,
      allowEmpty,
      minConfidence: source.minConfidence,
      hardnessOf,
      goldResults: this.#goldResults,
      fluency: new FluencyCheck(this.#parts.fluency),
      reads: this.#reads,
    });
    const composed = await composer.compose(
      questions.map((question) => ({ ...question, hint: hints.get(question.id) ?? '' })),
      examples.map(({ question }) => question),
    );
    this.#goldResults?.forget();
    const others = examples.flatMap((example) => {
      const reason = distrusted.get(example.id);
      return reason === undefined ? [] : [{ id: example.id, reason: `its gold query is distrusted: ${reason}` }];
    });
    return { ...composed, leftOut: [...leftOut, ...others] };
  }

  /** Adds to samples where their results differ from those of their first parents. */
  async addRows<T extends ShownSample>(samples: readonly T[]): Promise<readonly T[]> {
    const [goldResults, { databases }] = [this.#goldResults, this.#inputs.dataset];
    if (goldResults === null) return samples;
    const shown: T[] = [];
    for (const sample of samples) {
      const [first] = sample.asked ?? [];
      const database = databases.get(sample.db_id);
      const found =
        first !== undefined && database !== undefined
          ? await goldResults.differenceOf(first.query, sample.query, database)
          : null;
      shown.push(found === null ? sample : { ...sample, rows: { parent: found.gold, composed: found.predicted } });
    }
    goldResults.forget();
    return shown;
  }

  async #findDistrusted(): Promise<ReadonlyMap<string, string>> {
    const { distrust } = this.#parts;
    return distrust === undefined || this.#options.distrusted ? new Map() : distrust(this.#options, this.#host);
  }

  async close(): Promise<void> {
    await this.#goldResults?.close();
  }
}
