import { databaseOf, type Dataset, examplesNamed, type RowSource } from '../../formats/dataset.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { loadDataset } from '../../formats/load-dataset.js';
import { loadGiven } from '../candidates/candidate-forms.js';
import { openResources, requireDatabases, requireExamples } from '../candidates/candidates-run.js';
import { findUnusable, requireEndingViews, type UnusableDatabase } from '../databases/unusable-databases.js';
import { groupBy } from '../../run/group-by.js';
import { RECIPES } from '../../recipes/recipes.js';
import type { StageResources } from '../../recipes/stage-resources.js';
import type { RunManifest } from '../../run/run-folder.js';
import { inPhase, type RunHost } from '../../run/run-host.js';
import { sha256Of } from '../../run/sha256.js';
import { VERSION } from '../../version.js';
import type { MutationParts } from './database-mutants.js';
import { openedRows } from '../databases/row-reader.js';
import { hashRows } from '../databases/own-files.js';
import { FluencyModel } from '../../fluency/fluency-model.js';
import { FluencyJudge } from '../../llm/fluency-judge.js';
import { SemanticGuard } from './guard/semantic-guard.js';
import { loadRelation } from '../relations/load-relation.js';
import type { MutateOptions } from './mutate-options.js';
import { type MutationCase, type Relation, seedCase } from '../relations/relation.js';
import { MUTATING_RELATIONS } from '../relations/relations.js';
import type { ErrorRates } from './sampling/sampling.js';

/** The inputs of a run, read, and the parts that make its mutants. */
export interface MutateInputs {
  readonly dataset: Dataset;
  /** Where relations read its rows. */
  readonly rows: RowSource;
  /** Databases without a file that holds them: no mutant of theirs has one. */
  readonly unusable: readonly UnusableDatabase[];
  /** Cases by database, both in the data set's order. */
  readonly cases: ReadonlyMap<string, readonly MutationCase[]>;
  readonly candidates: readonly CandidateDecision[] | null;
  /** Error rates by relation that adaptive sampling follows; null for any other. */
  readonly rates: ErrorRates | null;
  /** Names of the relations by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly stages: StageResources;
  readonly parts: MutationParts;
}

interface NamedRelation {
  readonly name: string;
  readonly relation: Relation;
}

async function createRelations(
  { relations, relationFiles, graph, question }: MutateOptions,
  { dataset, stages, candidates }: Pick<MutateInputs, 'dataset' | 'stages' | 'candidates'>,
): Promise<readonly NamedRelation[]> {
  const own: NamedRelation[] = [];
  for (const file of relationFiles) {
    const relation = await loadRelation(file);
    own.push({ name: relation.name, relation });
  }
  const built: NamedRelation[] = [];
  for (const id of relations) {
    const { name, create } = MUTATING_RELATIONS[id];
    built.push({ name, relation: await create({ stages, dataset, graph, question, candidates }) });
  }
  return [...built, ...own];
}

/** Checks whether a database's file, where it has one, holds it. */
export function isUsable(unusable: readonly UnusableDatabase[]): (dbId: string) => boolean {
  const ids = new Set(unusable.map(({ id }) => id));
  return (dbId) => !ids.has(dbId);
}

/**
 * Reads the inputs of a run and makes its relations; models are loaded when they are first asked.
 * @throws InputFormatError or ConfigError when an input is missing or wrong, or a relation is none
 */
export async function openMutateInputs(options: MutateOptions, host: RunHost): Promise<MutateInputs> {
  requireDatabases(options.databases);
  const dataset = await inPhase(host, 'reading inputs', () => loadDataset({ ...options, withoutGold: true }));
  requireExamples(dataset, options);
  const unusable = findUnusable(dataset, options.databases);
  const used = new Set(Array.from(dataset.examples(), ({ dbId }) => dbId));
  requireEndingViews(
    dataset,
    [...used].filter(isUsable(unusable)).flatMap((id) => dataset.databases.get(id) ?? []),
  );
  const candidates = loadGiven(options, dataset, host);
  const stages = openResources(options, RECIPES.cta, host);
  const named = await createRelations(options, { dataset, stages, candidates });
  const rows = openedRows(dataset);
  const guard = options.guard ? new SemanticGuard(stages.modelScorer()) : null;
  const { limit, compose, askFluency } = options;
  const asked = askFluency === null ? null : new FluencyJudge(askFluency);
  const fluency = FluencyModel.open();
  const seeds = [...dataset.examples()].map((example) => seedCase(example, databaseOf(dataset, example.dbId)));
  const cases = groupBy(seeds, ({ database }) => database.id);
  return {
    dataset: { ...dataset, notes: [...(dataset.notes ?? []), ...(rows.copy?.notes ?? [])] },
    rows,
    unusable,
    cases,
    candidates,
    rates: options.rates,
    stages,
    names: new Map(named.map(({ name, relation }) => [relation.id, name])),
    parts: { relations: named.map(({ relation }) => relation), limit, compose, guard, fluency, asked },
  };
}

/** Ends what the parts of a run started. */
export async function closeMutateInputs({ parts, stages }: MutateInputs): Promise<void> {
  for (const relation of parts.relations) await relation.dispose?.();
  await parts.asked?.dispose();
  await stages.dispose();
}

/** Returns the manifest that defines a run: a different one is refused in its folder. */
export async function mutateManifest(
  options: MutateOptions,
  inputs: MutateInputs,
): Promise<Omit<RunManifest, 'complete'>> {
  const { dataset, candidates, rates, stages, parts } = inputs;
  const { examples, limit, compose, materialize, sample, budget, asTraining, graph, seed } = options;
  const rows = await hashRows(inputs.rows, inputs.cases.keys());
  return {
    command: 'mutate',
    version: VERSION,
    seed,
    settings: {
      ...options.settings,
      dataset: dataset.format,
      limit,
      compose,
      materialize,
      sample,
      budget,
      asTraining,
      graph,
      relations: Object.fromEntries(parts.relations.map(({ id, fingerprint }) => [id, fingerprint])),
      guard: parts.guard === null ? null : { rule: SemanticGuard.fingerprint, judge: stages.modelFingerprint },
      fluency: parts.fluency.fingerprint,
      ...(parts.asked === null ? {} : { askedFluency: parts.asked.fingerprint }),
    },
    inputs: {
      ...dataset.fingerprints,
      // Ids of mutants begin with the name of the examples' file.
      ...examplesNamed({ examples }),
      ...(rows === null ? {} : { databases: rows }),
      ...(candidates === null ? {} : { candidates: sha256Of(JSON.stringify(candidates)) }),
      ...(rates === null ? {} : { rates: sha256Of(JSON.stringify([...rates])) }),
    },
  };
}
