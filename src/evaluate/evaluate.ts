import { writeDurably } from '../run/durable-file.js';
import { RunItems, runReported } from '../run/reported-run.js';
import { createStageContext, inPhase, type RunHost, NOOP_HOST } from '../run/run-host.js';
import type { StageContext } from '../stage.js';
import { EVALUATE_FILES, type EvaluateOptions, type Evaluation, withEvaluateDefaults } from './evaluate-options.js';
import { type EvaluationReport, loadEvaluationReport } from './evaluation-report.js';
import { PairedFiles } from './inputs/paired-files.js';
import { requiredPath } from './metric-kind.js';
import { readLinks, readPredictedLinks, summarizeLinking } from './linking/schema-linking.js';
import { renderDocument } from '../report/document/render-document.js';
import { evaluationDocument } from './report/evaluation-document.js';
import { renderEvaluationJUnit } from './report/evaluation-cases.js';
import { isPairMetric, type PairMetric } from './metrics.js';
import { type PairVerdicts, VerdictLines } from './verdict-lines.js';
import { type EvaluationItem, PairEvaluation } from './pair-evaluation.js';
import { isFile } from '../regular-file.js';
import type { RunManifest } from '../run/run-folder.js';
import { fileSha256, sha256Of } from '../run/sha256.js';
import { openSuite } from '../testsuite/suite/open-suite.js';
import { VERSION } from '../version.js';
import { hashDatabases } from './execution/database-hashes.js';
import { withQueryRunner } from './execution/with-query-runner.js';
import { suiteIdentity } from './suite/suite-match.js';

/** Options that change nothing of the report, or that are in the manifest otherwise. */
const APART = [
  'seed',
  'databases',
  'suite',
  'connection',
  'out',
  'shard',
  'jobs',
  'verdicts',
  'junit',
  'report',
] as const;

/** Returns the manifest of everything that an evaluation depends on. */
async function evaluationManifest(
  options: Evaluation,
  files: PairedFiles | null,
): Promise<Omit<RunManifest, 'complete'>> {
  const { metrics, suite, seed } = options;
  const apart = new Set<string>([...EVALUATE_FILES, ...APART]);
  const settings = Object.entries(options).filter(([name, value]) => value !== undefined && !apart.has(name));
  const inputs: (readonly [role: string, sha256: string])[] = EVALUATE_FILES.flatMap((name) => {
    const path = options[name];
    return path !== null && isFile(path) ? [[name, fileSha256(path)] as const] : [];
  });
  if (files !== null && metrics.includes('execution')) {
    const ids = files.pairs.map(({ database }) => database.id);
    const hashes = await hashDatabases(ids.map((id) => [id, { file: files.databaseFile(id) }]));
    inputs.push(['databases', sha256Of(JSON.stringify(hashes))]);
  }
  if (files !== null && metrics.includes('suite') && suite !== null) {
    const { sha256 } = suiteIdentity(openSuite(suite), new Set(files.pairs.map(({ database }) => database)));
    inputs.push(['suite', sha256]);
  }
  const common = { command: 'evaluate', version: VERSION, seed, settings: Object.fromEntries(settings) };
  return { ...common, inputs: Object.fromEntries(inputs) };
}

/** Progress messages of the metrics that take time. */
const PROGRESS: Readonly<Record<string, string>> = {
  'gold/execution': 'gold queries executed',
  execution: 'pairs executed',
  suite: 'pairs executed on the suite',
};

/** A context that also shows how far execution is. */
function contextOf(seed: number, host: RunHost): StageContext {
  const context = createStageContext(seed, host);
  return {
    ...context,
    emit: (event) => {
      if (event.kind === 'progress') host.progress(PROGRESS[event.stage] ?? event.stage, event.done, event.total);
      else context.emit(event);
    },
  };
}

function writeVerdicts(lines: VerdictLines, { verdicts, junit }: Evaluation, metrics: readonly PairMetric[]): void {
  if (verdicts !== null) writeDurably(verdicts, lines.lines());
  if (junit !== null) writeDurably(junit, renderEvaluationJUnit([...lines.pairs()], metrics));
}

/**
 * Scores predictions against gold with the metrics asked for. Nothing is written but `out`, `verdicts`, `junit` and
 * `report`; databases are only read.
 * @throws ConfigError where an option is missing that a metric needs; InputFormatError where a file is wrong, or where
 * gold is not correct against itself
 */
export async function evaluate(given: EvaluateOptions, host: RunHost = NOOP_HOST): Promise<EvaluationReport> {
  const options = withEvaluateDefaults(given);
  const { metrics, seed, timeoutMs, jobs, out, shard } = options;
  const overPairs = metrics.filter(isPairMetric);
  const linking = metrics.includes('linking') ? evaluateLinks(options) : null;
  return withQueryRunner({ jobs, limits: { timeoutMs } }, async (runner, scratch) => {
    const files =
      overPairs.length === 0
        ? null
        : await inPhase(host, 'reading inputs', () => PairedFiles.open(options, overPairs, scratch));
    for (const note of files?.notes ?? []) host.note(`warning: ${note}`);
    for (const note of files?.joins ?? []) host.note(note);
    const work = async (items: RunItems<EvaluationItem>): Promise<EvaluationReport> => {
      const context = contextOf(seed, host);
      const evaluation = files === null ? null : new PairEvaluation(options, files, context, items);
      const sections = (await evaluation?.evaluate(runner)) ?? {};
      items.end();
      if (evaluation !== null) writeVerdicts(evaluation.models[0], options, overPairs);
      const questions = files?.questions ?? new Map<string, string>();
      const explained = files?.explained == null ? undefined : evaluation?.models[0].pair(files.explained.id);
      const question = questions.get(explained?.id ?? '');
      const report: EvaluationReport = {
        seed,
        gold: files && { file: files.goldFile, queries: files.gold.length, interactions: files.interactions },
        ...(files === null || files.notes.length === 0 ? {} : { notes: files.notes }),
        predictions: files && { file: options.predictions ?? '', comparedWith: options.compare },
        badGold: [],
        ...sections,
        ...(linking === null ? {} : { linking }),
        ...(explained === undefined
          ? {}
          : { explained: { ...explained, ...(question !== undefined && { question }) } }),
      };
      if (options.report !== null) {
        const pairs = [...(evaluation?.models[0].pairs() ?? [])];
        writeDurably(options.report, renderDocument(evaluationDocument(report, pairs, questions)));
      }
      return report;
    };
    return runReported({
      out,
      shard,
      work,
      load: loadEvaluationReport,
      manifest: () => evaluationManifest(options, files),
    });
  });
}

/** Several models' predictions for the same gold, judged. */
export interface JudgedModels {
  /** Sections of the metrics, with the scores of the first model. */
  readonly report: Partial<EvaluationReport>;
  /** The metrics' verdicts on each pair, model by model. */
  readonly models: readonly (readonly PairVerdicts[])[];
}

/**
 * Judges several models' predictions, a file each, as `evaluate` judges those of one; no file is written.
 * @throws as `evaluate`
 */
export async function judgeModels(
  given: EvaluateOptions,
  predictions: readonly string[],
  host: RunHost = NOOP_HOST,
): Promise<JudgedModels> {
  const [first = null, ...more] = predictions;
  const options = withEvaluateDefaults({ ...given, predictions: first });
  const { jobs, timeoutMs } = options;
  return withQueryRunner({ jobs, limits: { timeoutMs } }, async (runner, scratch) => {
    const files = await inPhase(host, 'reading inputs', () =>
      PairedFiles.open(options, options.metrics, scratch, more),
    );
    const evaluation = new PairEvaluation(options, files, contextOf(options.seed, host));
    const report = await evaluation.evaluate(runner);
    return { report, models: evaluation.models.map((lines) => [...lines.pairs()]) };
  });
}

function evaluateLinks({ links, predictedLinks }: Evaluation): NonNullable<EvaluationReport['linking']> {
  const gold = readLinks(requiredPath(links, 'links', ['linking']));
  return summarizeLinking(gold, readPredictedLinks(requiredPath(predictedLinks, 'predicted-links', ['linking']), gold));
}
