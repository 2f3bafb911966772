import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../errors.js';
import { databaseOf, type Dataset, type DatasetExample, examplesNamed, leftOutOf } from '../../formats/dataset.js';
import { renderJsonArray } from '../../formats/json-file.js';
import { datasetAdapter } from '../../formats/load-dataset.js';
import { ownFieldsOf } from '../../formats/own-fields.js';
import { renderSpiderTables } from '../../formats/spider-tables.js';
import { describeEstimate } from '../../llm/create-proposer.js';
import { estimateFluency } from '../../llm/fluency-judge.js';
import { scriptPath, writtenDatabase } from '../databases/write-variants.js';
import type { UnusableDatabase } from '../databases/unusable-databases.js';
import { mustGet } from '../../present.js';
import { renderDocument } from '../../report/document/render-document.js';
import { countNoun, formatCount } from '../../counts.js';
import { describeLeftOut, firstLeftOut, groupByReason } from '../../report/left-out.js';
import { RunFolder } from '../../run/run-folder.js';
import { SCRATCH } from '../../run/working-folders.js';
import { createStageContext, type RunHost, NOOP_HOST } from '../../run/run-host.js';
import type { StageContext } from '../../stage.js';
import { ownGroups } from '../../run/shard.js';
import type { Database, Example } from '../../schema/schema.js';
import { VERSION } from '../../version.js';
import { type DatabaseMutants, mutateDatabase, RELATIONS_TRIED, stepsPerDatabase } from './database-mutants.js';
import { writeMutantDatabases, writeMutantScripts } from '../databases/mutant-databases.js';
import { writeMutantDescriptions } from '../databases/mutant-descriptions.js';
import { MutantTally } from './mutant-tally.js';
import { type LineSources, MutantTexts } from './mutant-texts.js';
import { closeMutateInputs, isUsable, type MutateInputs, mutateManifest, openMutateInputs } from './mutate-inputs.js';
import { describeMutateEstimate, estimateMutate } from './mutate-estimate.js';
import { type MutateInput, type MutateOptions, withMutateDefaults } from './mutate-options.js';
import { loadMutateReport, type MutateReport, reportMutants } from './mutate-report.js';
import { mutantSamples } from '../report/mutant-samples.js';
import { mutateDocument } from '../report/mutate-document.js';
import { type MutantRecord, writeMutants, writeSeeds } from '../../formats/artifacts/mutants.js';
import type { MutatedSchema } from '../databases/mutated-schema.js';
import { sampleMutants, type SamplingPlan } from './sampling/sampling.js';
import { writeTrainingSet } from './training-set.js';
import { type ExecutableSchema, verifyMutants } from '../verify/verify-mutants.js';

export interface MutateOutcome {
  readonly report: MutateReport;
  /** Databases without a file that holds them: their mutants have none, and nothing is executed there. */
  readonly unusable: readonly UnusableDatabase[];
  /** False where an earlier run of the same configuration had finished, and nothing was done. */
  readonly fresh: boolean;
}

/**
 * Applies metamorphic relations to every example of a data set (MT-TEQL §3): mutants whose prediction must stay as it
 * is, or must give the same result. Deterministic for its seed. The same call again resumes an interrupted run,
 * database by database; a finished one is left as it is.
 * @throws InputFormatError, ConfigError, ModelFileError or RunFolderError: see each class
 */
export async function mutate(input: MutateInput, host: RunHost = NOOP_HOST): Promise<MutateOutcome> {
  const options = withMutateDefaults(input);
  const inputs = await openMutateInputs(options, host);
  const { unusable } = inputs;
  try {
    if (options.materialize === 'copy') requireRows(inputs);
    if (options.asTraining) requireGold(inputs);
    return await RunFolder.use<DatabaseMutants, MutateOutcome>(options.out, await mutateManifest(options, inputs), {
      shard: options.shard,
      read: () => ({ report: loadMutateReport(options.out), unusable, fresh: false }),
      work: async (folder) => {
        const { dataset } = inputs;
        const leftOut = firstLeftOut(leftOutOf(dataset), 'report.json');
        const notes = [...(dataset.notes ?? []), ...leftOut];
        for (const note of notes) host.note(`warning: ${note}`);
        host.note(describeMutateEstimate(options, estimateMutate(inputs, options)));
        const made = await makeMutants(inputs, folder, options, host);
        return { report: await writeProducts(made, inputs, folder, options, host), unusable, fresh: true };
      },
    });
  } finally {
    await closeMutateInputs(inputs);
  }
}

/** Describes a run in lines for people; nothing is written. @throws as `mutate` */
export async function previewMutants(input: MutateInput, host: RunHost = NOOP_HOST): Promise<readonly string[]> {
  const options = withMutateDefaults(input);
  const inputs = await openMutateInputs(options, host);
  await closeMutateInputs(inputs);
  const { dataset, cases, parts } = inputs;
  const most = dataset.size * options.limit * (parts.relations.length + options.compose - 1);
  const names = Array.from(inputs.names, ([id, name]) => `${id} ${name}`).join(', ');
  return [
    `${countNoun(dataset.size, 'example')} on ${countNoun(cases.size, 'database')}, relations: ${names}`,
    `at most ${countNoun(most, 'mutant')}, ${options.guard ? 'wordings checked by the guard' : 'no semantic guard'}`,
    describeMutateEstimate(options, estimateMutate(inputs, options)),
    ...describeAsking(options, dataset, most),
  ];
}

/** Describes the maximum cost of asking a language model about wordings: as if each mutant had one of its own. */
function describeAsking({ askFluency }: MutateOptions, dataset: Dataset, most: number): readonly string[] {
  if (askFluency === null) return [];
  const characters = [...dataset.examples()].reduce((sum, { question }) => sum + question.length, 0);
  const ofEach = Math.ceil(characters / Math.max(1, dataset.size));
  return [describeEstimate(estimateFluency(askFluency, most, ofEach))];
}

async function makeMutants(
  { cases: all, parts }: MutateInputs,
  folder: RunFolder<DatabaseMutants>,
  { seed, shard }: MutateOptions,
  host: RunHost,
): Promise<readonly DatabaseMutants[]> {
  const cases = ownGroups(shard, all);
  const made: DatabaseMutants[] = [];
  const steps = stepsPerDatabase(parts);
  let [tried, mutants] = [0, 0];
  const report = (): void => {
    const of = `${made.length} of ${countNoun(cases.size, 'database')}, ${countNoun(mutants, 'mutant')}`;
    host.progress(RELATIONS_TRIED, tried, cases.size * steps, of);
  };
  const context = createStageContext(seed, host);
  const emit: StageContext['emit'] = (event) => {
    if (event.kind !== 'count' || event.name !== RELATIONS_TRIED) return context.emit(event);
    tried += event.by;
    // The end is reported below, with what was made.
    if (tried < cases.size * steps) report();
  };
  for (const [id, examples] of cases) {
    report();
    let result = folder.journal.get(id);
    if (result === undefined)
      folder.journal.append(id, (result = await mutateDatabase(examples, parts, { ...context, emit })));
    made.push(result);
    mutants += result.records.length;
    tried = made.length * steps;
  }
  report();
  if (parts.asked !== null) host.note(parts.asked.describe());
  folder.endShard();
  return made;
}

function samplingPlan({ sample, budget, seed }: MutateOptions, { dataset, rates }: MutateInputs): SamplingPlan | null {
  if (sample === null) return null;
  const common = { budget: budget ?? dataset.size, seed };
  return sample === 'adaptive'
    ? { ...common, strategy: sample, rates: mustGet(rates, 'rates') }
    : { ...common, strategy: sample };
}

/** Mutants in the order of the data set's examples, those that sampling keeps. */
function chooseMutants(
  made: readonly DatabaseMutants[],
  options: MutateOptions,
  inputs: MutateInputs,
): readonly MutantRecord[] {
  const place = new Map([...inputs.dataset.examples()].map(({ id }, i) => [id, i]));
  const all = made
    .flatMap(({ records }) => records)
    .sort((a, b) => mustGet(place.get(a.seed), 'place.get(a.seed)') - mustGet(place.get(b.seed), 'place.get(b.seed)'));
  const plan = samplingPlan(options, inputs);
  return plan === null ? all : sampleMutants(all, plan);
}

/**
 * The schemas that mutants are asked of: the data set's own, then the mutated ones, in the order of their first use.
 */
class MutantSchemas {
  readonly originals: readonly Database[];
  readonly mutated: readonly MutatedSchema[];
  readonly #byId: ReadonlyMap<string, Database>;

  constructor(records: readonly MutantRecord[], made: readonly DatabaseMutants[], { dataset, cases }: MutateInputs) {
    const known = new Map(made.flatMap(({ schemas }) => schemas.map((one) => [one.schema.id, one])));
    const used = new Set(records.map(({ db_id }) => db_id));
    this.originals = [...cases.keys()].map((id) => databaseOf(dataset, id));
    this.mutated = [...used].flatMap((id) => known.get(id) ?? []);
    this.#byId = new Map([...this.originals, ...this.mutated.map(({ schema }) => schema)].map((one) => [one.id, one]));
  }

  readonly schemaOf = (id: string): Database => mustGet(this.#byId.get(id), 'byId.get(id)');

  /** Id of the data set's own database behind a schema. */
  readonly originOf = (id: string): string => this.mutated.find(({ schema }) => schema.id === id)?.origin ?? id;

  /** Records of Spider's `tables.json`; the data set's own as they were. */
  *tables({ dataset }: MutateInputs, texts: MutantTexts): Generator<unknown> {
    for (const one of this.originals) yield dataset.spiderTables?.get(one.id) ?? renderSpiderTables(one);
    for (const one of this.mutated) yield { ...renderSpiderTables(one.schema), ...texts.tableFields(one) };
  }
}

function requireRows({ dataset, cases }: MutateInputs): void {
  if ([...cases.keys()].some((id) => dataset.hasRows(id))) return;
  throw new ConfigError('there are no rows to write databases from', {
    fix: 'Give --databases, or leave --materialize out.',
  });
}

const hasNoGold = ({ query }: Pick<Example, 'query'>): boolean => query === '';

function requireGold({ dataset }: MutateInputs): void {
  if ([...dataset.examples()].some((example) => !hasNoGold(example))) return;
  throw new ConfigError('there is nothing to train on, as no example has a gold query', {
    fix: 'Leave --as-training out, or name examples with their queries.',
  });
}

/** Where the databases of schemas are, as far as there are any to execute on. */
function executableOf(
  { dataset }: MutateInputs,
  { out, materialize }: MutateOptions,
  { schemaOf, originOf }: MutantSchemas,
): (id: string) => ExecutableSchema {
  return (id: string): ExecutableSchema => {
    const database = schemaOf(id);
    if (materialize === 'copy') return { database, file: writtenDatabase(out, id) };
    if (materialize === 'migrations' || dataset.dialect.name !== 'sqlite') return { database, file: null };
    const origin = originOf(id);
    const original = dataset.sqliteFile(origin, join(out, SCRATCH));
    const file = original !== null && existsSync(original) ? original : null;
    return { database, file, ...(id === origin ? {} : { setup: [{ file: scriptPath(out, id) }] }) };
  };
}

/** Writes the databases of the schemas, and executes every gold query on them. */
async function executeMutants(
  records: readonly MutantRecord[],
  made: MutantSchemas,
  inputs: MutateInputs,
  options: MutateOptions,
  host: RunHost,
): Promise<MutateReport['databases']> {
  const { dataset, cases, unusable } = inputs;
  const { out, jobs, materialize } = options;
  const isWhole = isUsable(unusable);
  const origins = [...cases.keys()].filter(isWhole);
  const schemas = made.mutated.filter(({ origin }) => isWhole(origin));
  const request = { dataset, origins, schemas, out };
  const isScript = materialize === 'views' || materialize === 'migrations';
  const unwritten = isScript ? writeMutantScripts(request, materialize) : writeMutantDatabases(request, host);
  const golds = new Map([...cases.values()].flat().map(({ example: { id, query } }) => [id, { query }]));
  const executable = executableOf(inputs, options, made);
  const goldOf = (seed: string): string | null => mustGet(golds.get(seed), 'golds.get(seed)').query;
  const left = new Set(unwritten.map(({ id }) => id));
  const written = records.filter(({ db_id: id }) => !isScript || !left.has(id));
  const verification = await verifyMutants({ records: written, goldOf, schemaOf: executable, jobs }, host);
  return { unwritten, verification };
}

function lackingGold(withoutGold: number, examples: number): string {
  const some = `${formatCount(withoutGold)} of ${formatCount(examples)} examples ${withoutGold === 1 ? 'has' : 'have'} no gold query`;
  return `${some}; relations that read it give no mutants of them, and they are in no training set`;
}

/** Lines of `mutants.jsonl`: each mutant with the fields of the data set's own that its example has. */
function* mutantLines(
  records: readonly MutantRecord[],
  examples: readonly DatasetExample[],
  texts: MutantTexts,
  sources: LineSources,
): Generator<MutantRecord> {
  const seeds = new Map(examples.map((example) => [example.id, example]));
  for (const record of records) {
    yield texts.lineOf(mustGet(seeds.get(record.seed), 'seeds.get(record.seed)'), record, sources);
  }
}

async function writeProducts(
  made: readonly DatabaseMutants[],
  inputs: MutateInputs,
  folder: RunFolder<DatabaseMutants>,
  options: MutateOptions,
  host: RunHost,
): Promise<MutateReport> {
  const { dataset, parts, names } = inputs;
  const records = chooseMutants(made, options, inputs);
  const schemas = new MutantSchemas(records, made, inputs);
  const examples = [...dataset.examples()];
  const texts = new MutantTexts(dataset, schemas.mutated);
  const { fields } = await datasetAdapter(dataset.format);
  const sources = { schemaOf: schemas.schemaOf, fieldsOf: ownFieldsOf({ input: dataset }, fields) };
  const lines = (): Iterable<MutantRecord> => mutantLines(records, examples, texts, sources);
  writeMutants(folder, lines());
  writeSeeds(
    folder,
    examples.map((example) => texts.seedLineOf(example, sources)),
  );
  folder.write('tables.json', renderJsonArray(schemas.tables(inputs, texts)));
  if (options.asTraining) writeTrainingSet(lines(), dataset, schemas.schemaOf, fields, folder);
  const databases = options.materialize !== null ? await executeMutants(records, schemas, inputs, options, host) : null;
  if (databases !== null) writeMutantDescriptions(dataset, [...inputs.cases.keys()], schemas.mutated, texts, folder);
  const tally = new MutantTally();
  for (const { tallies } of made) tally.add(tallies);
  const questions = examples.map(({ question }) => question);
  const withoutGold = examples.filter(hasNoGold).length;
  const summary = {
    perturbql: VERSION,
    ...examplesNamed(options),
    dataset: dataset.format,
    parts,
    names,
    tallies: tally.tallies,
    records,
    questions,
    withoutGold,
  };
  const warnings = [
    ...(dataset.notes ?? []),
    ...describeLeftOut(leftOutOf(dataset)),
    ...(withoutGold === 0 ? [] : [lackingGold(withoutGold, examples.length)]),
  ];
  const report = reportMutants({ ...summary, databases, warnings, leftOut: groupByReason(leftOutOf(dataset)) });
  folder.write('report.json', `${JSON.stringify(report, null, 2)}\n`);
  const samples = mutantSamples({ records, examples, schemaOf: schemas.schemaOf, names });
  folder.write('report.html', renderDocument(mutateDocument(report, samples)));
  return report;
}
