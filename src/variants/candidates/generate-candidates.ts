import { basename, join } from 'node:path';
import { z } from 'zod';
import {
  type CandidateDecision,
  CANDIDATES_FILE,
  loadCandidates,
  writeCandidates,
} from '../../formats/artifacts/candidates.js';
import { examplesNamed } from '../../formats/dataset.js';
import { loadRecord, renderJsonLines } from '../../formats/json-file.js';
import { pairId } from '../../llm/judgment.js';
import { RULE_DESCRIPTIONS } from '../../naturalness/naturalness-rule.js';
import type { CtaStages, TableResult, TableTask } from '../../pipeline.js';
import { itemAt } from '../../present.js';
import { describeLeftOut, groupByReason } from '../../report/left-out.js';
import { renderDocument } from '../../report/document/render-document.js';
import { candidatesDocument } from '../report/candidates-document.js';
import { type CandidatesReportContext, type Coverage, summarizeCandidates } from '../report/candidates-report.js';
import { columnCases } from '../report/column-cases.js';
import { RunFolder } from '../../run/run-folder.js';
import { NOOP_HOST, type RunHost } from '../../run/run-host.js';
import { type CandidatesInput, CandidatesRun, type DecidedTables, withDefaults } from './candidates-run.js';
import type { SkippedItem } from './plan-tables.js';
import { announceRun, DECIDES } from './run-estimate.js';
import { writeRunInputs } from './run-inputs.js';
import { countNoun, formatCount } from '../../counts.js';
import { namesAnEntity, singularTableName } from '../../tpe/table-name-tpe.js';
import type { RecipeName } from '../../recipes/recipe-names.js';
import type { Settings } from '../../recipes/settings.js';
import type { ReportedModel, ReportedSettings } from '../../report/report-context.js';
import type { LocatedModel } from '../../inference/model-store.js';
import { isJudged } from '../../recipes/recipes.js';
import { embeddedIndexFolder, type StageResources } from '../../recipes/stage-resources.js';
import { RetrievalSource } from '../../retriever/retrieval-source.js';
import { sha256Of } from '../../run/sha256.js';
import { VERSION } from '../../version.js';

function reportModel({ manifest, sha256 }: LocatedModel): ReportedModel {
  return { name: manifest.name, revision: manifest.revision, sha256, nonCommercial: manifest.nonCommercial };
}

/** A language model has no files: its hash is that of all that its judgments depend on. */
function reportJudge({ settings, nliModel, judgeFingerprint }: StageResources): ReportedModel {
  if (settings.nli.id === 'onnx') return reportModel(nliModel());
  const sha256 = sha256Of(judgeFingerprint);
  return { name: 'language model as judge', revision: judgeFingerprint, sha256, nonCommercial: false };
}

/** Returns the settings of a run for its report: recipe, thresholds, models, index, by name, revision and hash. */
export async function reportSettings(
  { resources, options }: CandidatesRun,
  { sources: { retrieval } }: CtaStages,
): Promise<ReportedSettings> {
  const { recipe, settings } = resources;
  const kinds = new Set([...recipe.rpl.sources, ...recipe.add.sources]);
  const judged = isJudged(recipe);
  const index = kinds.has('retrieval') || kinds.has('random') ? await resources.index() : null;
  const encoded = (kinds.has('retrieval') && settings.retriever.id !== 'bm25') || kinds.has('bank');
  return {
    recipe: recipe.id,
    seed: options.seed,
    thresholds: judged ? resources.thresholds() : null,
    models: [...(encoded ? [reportModel(resources.encoderModel())] : []), ...(judged ? [reportJudge(resources)] : [])],
    index:
      index === null
        ? null
        : {
            name: basename(settings.retriever.index ?? embeddedIndexFolder()),
            tables: index.size,
            k: retrieval instanceof RetrievalSource ? retrieval.k : 0,
          },
    vectors: (await resources.ranker()).id,
    dictionary: kinds.has('dictionary') ? settings.dictionary.id : null,
    version: VERSION,
  };
}

/** Tables named in the warning. */
const MOST_NAMED = 5;

/** A warning about the tables whose names, which say nothing, had to stand for the primary entity; none where all have one. */
export function describeNameless(
  tasks: readonly TableTask[],
  results: readonly Pick<TableResult, 'id' | 'primaryEntity'>[],
): readonly string[] {
  const entities = new Map(results.map(({ id, primaryEntity }) => [id, primaryEntity]));
  const ids = tasks
    .filter(({ id, target: { table } }) => {
      return entities.get(id) === singularTableName(table.name) && !namesAnEntity(table.name);
    })
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  const named = [...ids.slice(0, MOST_NAMED), ...(ids.length > MOST_NAMED ? ['…'] : [])].join(', ');
  const who = `the primary entity of ${countNoun(ids.length, 'table')} is not known (${named})`;
  return [`${who}: the table’s name stands for it; name it in the file of tpe.annotations`];
}

const share = z.object({ columns: z.int(), share: z.number() });

/** The part of a finished run's report about its columns. */
const reportedCoverage = z.object({
  coverage: z.object({ targetColumns: z.int(), withAdd: share, withThreeAdd: share }),
});

const REPORT_FIX = 'Run `perturbql candidates` with another --out.';

export interface CandidatesOutcome {
  /** Decisions per bucket. */
  readonly counts: Readonly<Record<CandidateDecision['bucket'], number>>;
  /** A note on columns with few ADD candidates. */
  readonly short: readonly string[];
  /** Examples and columns that were left out. */
  readonly skipped: readonly SkippedItem[];
  /** False where an earlier run of the same configuration had finished, and nothing was done. */
  readonly fresh: boolean;
}

/**
 * Decides candidates for the columns of a data set and writes `candidates.jsonl`, `report.json` and `report.html` into
 * the run folder (ADVETA §4). The same call again resumes an interrupted run; a finished one is left as it is.
 * @throws InputFormatError, ConfigError, ModelFileError, IndexMismatchError or RunFolderError: see each class.
 */
export async function generateCandidates(
  input: CandidatesInput,
  host: RunHost = NOOP_HOST,
): Promise<CandidatesOutcome> {
  const options = withDefaults(input);
  const run = await CandidatesRun.open(options, host);
  await announceRun(run, host, DECIDES);
  try {
    const { skipped } = run.plan;
    const stages = await run.loadStages(host);
    return await RunFolder.use<TableResult, CandidatesOutcome>(options.out, run.manifest('candidates', stages, {}), {
      shard: options.shard,
      read: () => {
        const counts = countBuckets(loadCandidates(join(options.out, CANDIDATES_FILE)));
        const { coverage } = loadRecord(reportedCoverage, join(options.out, 'report.json'), 'report', REPORT_FIX);
        return { counts, short: describeShortAdditions(coverage, options), skipped, fresh: false };
      },
      work: async (folder) => {
        writeRunInputs(folder, options, run.plan);
        const decided = await decideInto(folder, run, stages, host);
        folder.endShard();
        const results = [...decided];
        const context = await reportContext(run, stages, results);
        const made = results.flatMap((result) => result.decisions);
        const summary = summarizeCandidates(made, context);
        const short = describeShortAdditions(summary.coverage, options);
        const report = { ...summary, warnings: [...summary.warnings, ...short] };
        folder.write('report.json', `${JSON.stringify(report, null, 2)}\n`);
        folder.write('report.html', renderDocument(candidatesDocument(report, columnCases(made, context))));
        return { counts: countBuckets(decided.decisions()), short, skipped, fresh: true };
      },
    });
  } finally {
    await run.dispose();
  }
}

/**
 * Decides what is left to decide and, of a whole run, writes `candidates.jsonl` and what a language model proposed and
 * judged.
 */
export async function decideInto(
  folder: RunFolder<TableResult>,
  run: CandidatesRun,
  stages: CtaStages,
  host: RunHost,
): Promise<DecidedTables> {
  const decided = await run.decide(folder, stages, host);
  if (run.options.shard != null) return decided;
  writeCandidates(folder, decided.decisions());
  if (run.asksNames) {
    const proposed = [...decided].flatMap((result) => result.proposed ?? []);
    if (proposed.length > 0) folder.write('proposals.jsonl', renderJsonLines(proposed));
  }
  if (run.asksJudgments) {
    // Tables of several databases may have the same pairs.
    const judged = new Map([...decided].flatMap((result) => (result.judged ?? []).map((one) => [pairId(one), one])));
    if (judged.size > 0) folder.write('judgments.jsonl', renderJsonLines(judged.values()));
  }
  return decided;
}

function countBuckets(decisions: Iterable<CandidateDecision>): CandidatesOutcome['counts'] {
  const counts = { RPL: 0, ADD: 0, rejected: 0 };
  for (const { bucket } of decisions) counts[bucket]++;
  return counts;
}

async function reportContext(
  run: CandidatesRun,
  stages: CtaStages,
  results: readonly TableResult[],
): Promise<CandidatesReportContext> {
  const { plan, dataset, options } = run;
  const used = new Set(plan.tasks.map(({ target }) => target.dbId));
  return {
    dataset: options.dataset,
    ...examplesNamed(options),
    databases: [...dataset.databases.values()].filter(({ id }) => used.has(id)),
    targetColumns: plan.tasks.flatMap(({ target, columns }) =>
      columns.map((c) => {
        const { name, originalName } = itemAt(target.table.columns, c);
        const { name: table, originalName: tableOriginal } = target.table;
        return { dbId: target.dbId, table, tableOriginal, column: name, columnOriginal: originalName };
      }),
    ),
    settings: await reportSettings(run, stages),
    counts: {
      questions: dataset.size,
      'tables decided': plan.tasks.length,
      'left out': plan.skipped.length,
    },
    warnings: [...describeLeftOut(plan.skipped), ...describeNameless(plan.tasks, results)],
    leftOut: groupByReason(plan.skipped),
    reasonDescriptions: RULE_DESCRIPTIONS,
  };
}

/** The settings that give a run more additions. */
function waysToMore(recipe: RecipeName, { attributes }: Pick<Settings, 'attributes'>): readonly string[] {
  if (recipe === 'llm') return ['--recipe cta+llm'];
  if (recipe !== 'cta' && recipe !== 'cta+llm') return ['--recipe cta'];
  return [
    ...(attributes.filler ? [] : ['--set attributes.filler=true']),
    ...(recipe === 'cta' ? ['--recipe cta+llm'] : []),
  ];
}

/** A note on columns with fewer ADD candidates than people chose for each; none where all have as many. */
export function describeShortAdditions(
  { targetColumns, withThreeAdd, withAdd }: Pick<Coverage, 'targetColumns' | 'withThreeAdd' | 'withAdd'>,
  { recipe, settings }: { readonly recipe: RecipeName; readonly settings: Pick<Settings, 'attributes'> },
): readonly string[] {
  const short = targetColumns - withThreeAdd.columns;
  if (short === 0) return [];
  const none = targetColumns - withAdd.columns;
  const columns = `${formatCount(short)} of ${countNoun(targetColumns, 'column')} have fewer than the three ADD candidates that people chose at least`;
  const ways = waysToMore(recipe, settings);
  return [
    `${columns}, ${formatCount(none)} of them none${ways.length === 0 ? '' : `; for more: ${ways.join(', or ')}`}`,
  ];
}
