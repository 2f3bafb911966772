import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../src/errors.js';
import { locateModel } from '../../src/inference/model-store.js';
import { SentenceEncoder } from '../../src/inference/sentence-encoder.js';
import { ADD_MAX_ENTAILMENT, RPL_MIN_ENTAILMENT, type Thresholds } from '../../src/nli/bucket-rule.js';
import { EconomicalScorer, OnnxEntailmentScorer } from '../../src/nli/entailment-scorer.js';
import { renderStatement } from '../../src/nli/statement.js';
import { VectorFile } from '../../src/reranker/vector-file.js';
import { WordVectorRanker } from '../../src/reranker/word-vector-ranker.js';
import { createRng } from '../../src/seeded-rng.js';
import type { EntailmentScorer, StageContext, TpePredictor } from '../../src/stage.js';
import { AutoTpe } from '../../src/tpe/auto-tpe.js';
import { TableNameTpe } from '../../src/tpe/table-name-tpe.js';
import { ZeroShotTpe } from '../../src/tpe/zero-shot-tpe.js';
import type { BenchOutput } from '../run-bench.js';
import { type LabeledSet, loadSpiderLabels, loadWikiSqlLabels } from './labeled-pairs.js';
import { type Contender, measureSet, type QualityRow } from './measure-set.js';
import { loadSimLex, loadUnseenNli, measureStudies, type StudyData, type StudyRow } from './paper-studies.js';
import {
  labelFigures,
  type QualityReport,
  renderLogLine,
  renderQualityReport,
  type ScoredModel,
  studyFigures,
} from './quality-report.js';
import { CosineScorer, WordVectorScorer } from './similarity-scorer.js';

/** One seed for the sample of pairs and the streams of the stages. */
const SEED = 1;

const TPE_NOTES = {
  auto: 'auto: the table’s name in the singular, else zero-shot from the columns alone (the sets hold no values)',
  empty: 'empty: the template begins with the column’s name',
} as const;

const INPUTS = {
  template: { id: 'template', render: renderStatement },
  bareSentence: { id: 'bare "name."', render: (_: string, name: string) => `${name}.` },
  bareName: { id: 'bare name', render: (_: string, name: string) => name },
} as const satisfies Record<string, Contender['input']>;

interface Options {
  readonly json: boolean;
  readonly data: string;
  readonly nli: string;
  readonly tpe: keyof typeof TPE_NOTES;
}

function readOptions(args: readonly string[], root: string): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        data: { type: 'string', default: join('..', 'shared', 'data') },
        nli: { type: 'string', default: join('models', 'nli') },
        tpe: { type: 'string', default: 'auto' },
      },
    });
    const { tpe } = values;
    if (tpe !== 'auto' && tpe !== 'empty') throw new Error(`--tpe ${tpe} is unknown`);
    return { json: values.json, data: resolve(root, values.data), nli: resolve(root, values.nli), tpe };
  } catch (cause) {
    throw new ConfigError('bench:quality does not know this option', {
      cause,
      fix: 'Give any of: --json, --data DIR, --nli DIR, --tpe auto|empty.',
    });
  }
}

/** The scorers side by side; whoever opens them disposes of them. */
interface Field {
  readonly nli: EntailmentScorer;
  readonly contenders: readonly Contender[];
  readonly models: readonly ScoredModel[];
  readonly skipped: readonly string[];
  /** The ten nearest names of a name; null without word vectors. */
  readonly nearest: StudyData['nearest'];
  dispose(): Promise<void>;
}

async function openField(root: string, nliFolder: string): Promise<Field> {
  const nliModel = locateModel('nli', nliFolder);
  const encoderModel = locateModel('table-context-encoder', join(root, 'models', 'encoder'));
  const encoder = new SentenceEncoder(encoderModel);
  const nli = named(new OnnxEntailmentScorer(nliModel));
  const paper: Thresholds = { rplMin: RPL_MIN_ENTAILMENT, addMax: ADD_MAX_ENTAILMENT };
  const shipped = nliModel.manifest.thresholds;
  const thresholds = shipped === undefined ? [paper] : [shipped, paper];
  const cosine = new CosineScorer(encoder);
  const words = await openWordVectors(root);
  return {
    nli,
    contenders: [
      { scorer: cosine, input: INPUTS.template, thresholds: [paper] },
      { scorer: cosine, input: INPUTS.bareName, thresholds: [paper] },
      ...(words === null ? [] : [{ scorer: words.scorer, input: INPUTS.bareName, thresholds: [paper] }]),
      { scorer: nli, input: INPUTS.template, thresholds },
      { scorer: nli, input: INPUTS.bareSentence, thresholds },
    ],
    models: [
      { role: 'nli', ...nliModel.manifest, sha256: nliModel.sha256 },
      { role: 'cosine', ...encoder.model },
      ...(words === null ? [] : [words.model]),
    ].map(({ role, name, revision, sha256 }) => ({ role, name, revision, sha256 })),
    skipped: words === null ? [`word vectors: ${WORD_VECTORS} is absent`] : [],
    nearest: words === null ? null : words.nearest,
    dispose: async () => {
      await Promise.all([encoder.dispose(), nli.dispose?.()]);
    },
  };
}

/** The product's scorer under the name that the table shows. */
function named(scorer: OnnxEntailmentScorer): EntailmentScorer {
  return {
    id: 'nli',
    fingerprint: scorer.fingerprint,
    score: (pairs, context) => scorer.score(pairs, context),
    dispose: () => scorer.dispose(),
  };
}

const WORD_VECTORS = join('data', 'word-vectors', 'retrofitted-glove.pqv');

/** ADVETA appendix B.1: embedding-based substitutes come from the ten nearest terms. */
const NEAREST_NAMES = 10;

interface OpenedVectors {
  readonly scorer: EntailmentScorer;
  readonly model: ScoredModel;
  readonly nearest: (name: string) => readonly string[];
}

async function openWordVectors(root: string): Promise<OpenedVectors | null> {
  const path = join(root, WORD_VECTORS);
  if (!existsSync(path)) return null;
  const vectors = await VectorFile.open(path);
  const { name, revision, sha256 } = vectors.header;
  const ranker = new WordVectorRanker(vectors);
  return {
    scorer: new WordVectorScorer(ranker),
    model: { role: 'word vectors', name, revision, sha256 },
    nearest: (text) => ranker.nearestTerms(text, NEAREST_NAMES).map((term) => term.name),
  };
}

function openTpe(kind: Options['tpe'], scorer: EntailmentScorer): TpePredictor {
  if (kind === 'auto') {
    return new AutoTpe(new Map(), new TableNameTpe(), new ZeroShotTpe(new EconomicalScorer(scorer, null)));
  }
  return { id: 'empty', fingerprint: 'empty', predict: (targets) => Promise.resolve(targets.map(() => '')) };
}

async function measure(options: Options, field: Field, output: BenchOutput): Promise<QualityReport> {
  const started = Date.now();
  const seconds = (): number => (Date.now() - started) / 1000;
  const context: StageContext = {
    signal: new AbortController().signal,
    rngFor: (itemId) => createRng(SEED, itemId),
    emit: () => undefined,
  };
  const tpe = openTpe(options.tpe, field.nli);
  const sets = [loadSpiderLabels(options.data), loadWikiSqlLabels(options.data, SEED)];
  const rows: QualityRow[] = [];
  for (const set of sets) {
    const tell = (line: string): void => output.tell(`${seconds().toFixed(0)} s: ${line}`);
    rows.push(...(await measureSet(set, tpe, field.contenders, context, tell)));
  }
  const studies = await study(options, sets[0]!, tpe, field, context);
  return {
    date: new Date(started).toISOString().slice(0, 10),
    machine: `${cpus()[0]?.model ?? 'unknown CPU'} × ${cpus().length}, Node ${process.versions.node}`,
    seconds: seconds(),
    models: field.models,
    tpe: TPE_NOTES[options.tpe],
    sets: sets.map(({ id, sample, assumed }) => ({ id, sample, assumed })),
    rows,
    studies,
    skipped: field.skipped,
  };
}

/** The paper's studies over the human RPL of one set, a row for each scorer. */
async function study(
  { data }: Options,
  set: LabeledSet,
  tpe: TpePredictor,
  { contenders, nearest }: Field,
  context: StageContext,
): Promise<readonly StudyRow[]> {
  const human = set.pairs.filter(({ bucket }) => bucket === 'RPL');
  const targets = [...new Set(human.map(({ target }) => target))];
  const entities = await tpe.predict(targets, context);
  const entityOf = new Map(targets.map((target, t) => [target, entities[t]!]));
  const studied: StudyData = {
    human,
    entityOf: (target) => entityOf.get(target)!,
    nearest,
    simlex: loadSimLex(data),
    nli: await loadUnseenNli(data, SEED),
    seed: SEED,
  };
  const rows: StudyRow[] = [];
  for (const contender of contenders) rows.push(await measureStudies(contender, studied, context));
  return rows;
}

/**
 * Measures the NLI stage against ADVETA's human labels, with vector cosines next to it, and prints the table. Without
 * the shared data it says so and does nothing. `root` is the project's folder.
 * @throws PerturbqlError when an option, a model or a label file is wrong.
 */
export async function runQuality(args: readonly string[], root: string, output: BenchOutput): Promise<void> {
  const options = readOptions(args, root);
  if (!existsSync(join(options.data, 'adveta'))) {
    output.print(`bench:quality skipped: no ADVETA labels in ${relative(root, join(options.data, 'adveta'))}`);
    return;
  }
  const field = await openField(root, options.nli);
  try {
    const report = await measure(options, field, output);
    output.record(labelFigures(report));
    output.record(studyFigures(report));
    const logLine = renderLogLine(report);
    if (options.json) output.print(JSON.stringify({ ...report, logLine }, null, 2));
    else output.print(`${renderQualityReport(report)}\n\nFor the evaluation log in training/README.md:\n\n${logLine}`);
  } finally {
    await field.dispose();
  }
}
