import { describe, expect, expectTypeOf, it } from 'vitest';
import * as api from '../../src/index.js';
import { renameColumns } from '../../src/entrypoints/sql.js';
import { consistency, type ConsistencyInput, type ConsistencyOutcome } from '../../src/entrypoints/attack.js';
import {
  type MetamorphicRelation,
  mutate,
  type MutateInput,
  type MutateOutcome,
} from '../../src/entrypoints/mutate.js';
import {
  augment,
  type AugmentInput,
  type AugmentOutcome,
  type CandidateDecision,
  candidateDecisionSchema,
  type CandidateRanker,
  type CandidatesInput,
  type CandidatesOutcome,
  type ColumnRef,
  createStageContext,
  createStages,
  type CtaStages,
  type Database,
  type Dataset,
  generateCandidates,
  InputFormatError,
  loadCandidates,
  loadDataset,
  PairExplainer,
  type PairExplanation,
  parseSettings,
  PerturbqlError,
  RECIPES,
  type RunHost,
  runPipeline,
  NOOP_HOST,
  StageResources,
  type TableResult,
  type TableRetriever,
} from '../../src/entrypoints/candidates.js';

// Type-checked by `npm run check`; these functions are never called.

async function runAsDocumented(): Promise<AugmentOutcome> {
  const options: AugmentInput = {
    dataset: 'spider',
    tables: 'tables.json',
    examples: 'dev.json',
    databases: null,
    columns: 'mentioned',
    recipe: 'cta',
    settings: parseSettings({ nli: { rplMin: 0.6 } }),
    seed: 0,
    out: 'RUN',
    candidates: null,
    linkedKeys: 'same',
  };
  const host: RunHost = { ...NOOP_HOST, note: (line) => expectTypeOf(line).toBeString() };
  const decided = await generateCandidates(options, host);
  expectTypeOf(decided.counts.RPL).toBeNumber();
  try {
    return await augment(options);
  } catch (error) {
    if (error instanceof PerturbqlError) expectTypeOf(error.fix).toBeString();
    throw error;
  }
}

async function* runStageByStage(): AsyncGenerator<TableResult> {
  const paths = { dataset: 'spider', tables: 't', examples: 'e', databases: null, connection: null } as const;
  const dataset: Dataset = await loadDataset(paths);
  const resources = new StageResources(parseSettings({}), RECIPES.cta, { jobs: 1 });
  const stages: CtaStages = await createStages(resources);
  const [database] = dataset.databases.values();
  const target = { dbId: database!.id, table: database!.tables[0]!, questions: [], values: [] };
  yield* runPipeline([{ id: 'a', target, columns: [0] }], stages, createStageContext(0, NOOP_HOST));
  await resources.dispose();
}

/** A part of one's own needs nothing but the public types. */
class FirstTables implements TableRetriever {
  readonly id = 'first';
  readonly fingerprint = 'first:1';
  readonly size = 0;
  retrieve: TableRetriever['retrieve'] = (targets) => Promise.resolve(targets.map(() => []));
}

class Ending implements MetamorphicRelation {
  readonly id = 'E';
  readonly name = 'Ending';
  readonly target = 'utterance';
  readonly cites = '';
  readonly capability = 'question form';
  readonly fingerprint = 'E 1';
  mutate: MetamorphicRelation['mutate'] = (cases) => Promise.resolve(cases.map(() => ({ reason: 'none' })));
}

describe('the public API', () => {
  it('has these values and no others', () => {
    expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
      [
        "AnnotationError",
        "ConfigError",
        "DictionaryError",
        "DownloadError",
        "EndpointError",
        "IndexMismatchError",
        "InputFormatError",
        "InternalError",
        "ModelFileError",
        "NOOP_HOST",
        "NativeModuleError",
        "PerturbqlError",
        "RunFolderError",
        "SqlRewriteError",
        "VERSION",
        "VictimError",
        "attack",
        "augment",
        "buildSuite",
        "consistency",
        "evaluate",
        "generateCandidates",
        "mutantsMadeBy",
        "mutantsOfRun",
        "mutate",
        "verifyRun",
      ]
    `);
  });

  it('has the types that its documentation shows', () => {
    expectTypeOf(runAsDocumented).returns.resolves.toEqualTypeOf<AugmentOutcome>();
    expectTypeOf(runStageByStage).returns.toExtend<AsyncIterable<TableResult>>();
    expectTypeOf(FirstTables).toBeConstructibleWith();
    expectTypeOf(generateCandidates).toEqualTypeOf<(o: CandidatesInput, h?: RunHost) => Promise<CandidatesOutcome>>();
    expectTypeOf(loadCandidates).returns.toEqualTypeOf<readonly CandidateDecision[]>();
    expectTypeOf<ReturnType<(typeof candidateDecisionSchema)['parse']>>().toEqualTypeOf<CandidateDecision>();
    expectTypeOf<AugmentInput>().toExtend<CandidatesInput>();
    expectTypeOf<CandidateRanker['similarity']>().returns.toEqualTypeOf<number | null>();
    expectTypeOf<PairExplainer['explain']>().returns.resolves.toEqualTypeOf<readonly PairExplanation[]>();
    expectTypeOf(renameColumns).parameter(2).toEqualTypeOf<ReadonlyMap<string, string>>();
    expectTypeOf(mutate).toEqualTypeOf<(o: MutateInput, h?: RunHost) => Promise<MutateOutcome>>();
    expectTypeOf(consistency).toEqualTypeOf<(o: ConsistencyInput, h?: RunHost) => Promise<ConsistencyOutcome>>();
    expectTypeOf(Ending).toBeConstructibleWith();
    expectTypeOf<Database['primaryKeys']>().toEqualTypeOf<readonly ColumnRef[]>();
  });

  it('gives errors that say where, what and how to repair it', () => {
    const error: PerturbqlError = new InputFormatError('no', { fix: 'Repair it.', where: { file: 'f', line: 3 } });
    expect(error.render()).toBe('f:3: no\n  fix: Repair it.');
    expect(error.code).toBe('INPUT_FORMAT');
  });
});
