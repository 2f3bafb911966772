import { LRUCache } from 'lru-cache';
import { PerturbqlError, SqlRewriteError } from '../../errors.js';
import { databaseOf, type ExampleGroup, groupExamples } from '../../formats/dataset.js';
import { countNoun } from '../../counts.js';
import type { RunItems } from '../../run/reported-run.js';
import type { CtaStages } from '../../pipeline.js';
import { createStageContext, type RunHost } from '../../run/run-host.js';
import { resolveColumns } from '../../sql/resolver.js';
import { sqlFault } from '../../sql/sql-fault.js';
import type { CandidatesRun } from '../candidates/candidates-run.js';
import { readableTurns, type SkippedItem } from '../candidates/plan-tables.js';
import type { MaterializeMode } from '../databases/database-change.js';
import type { CandidatePool } from '../relations/names/candidate-pool.js';
import type { SampleChoice } from '../relations/names/candidate-difficulty.js';
import { EquivalenceJudge } from '../relations/names/equivalence-judge.js';
import {
  type DrawnSchema,
  drawSchema,
  isWhole,
  type PerturbOptions,
  rewriteFor,
  type SchemaRequest,
  wholeSchemaNumber,
} from '../relations/names/draw-schema.js';
import { createRng } from '../../seeded-rng.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { type KeptOutcome, type KeptVariant, outcomeId, PerturbedDataset } from './perturbed-dataset.js';
import { slotName, type VariantPlan, variantSlots } from './variant-plan.js';

/** Whole schemas in memory: those of a few databases. */
const SCHEMAS_AT_HAND = 64;

/** The options that a run perturbs by. */
interface AugmentationOptions extends PerturbOptions {
  readonly materialize: MaterializeMode;
  readonly sample: SampleChoice;
  readonly variants: VariantPlan;
}

/** A variant to be made of one example, or of the turns of one interaction: they share its schema. */
export interface VariantRequest extends SchemaRequest, PerturbOptions {
  readonly examples: ExampleGroup;
  readonly dialect: SqlDialect;
  readonly seed: number;
  /** Keeps the schemas of whole tables, by place, for a run's other examples. */
  readonly wholeSchemas: LRUCache<string, DrawnSchema>;
}

/** Draws the schema of a variant; where whole tables are perturbed, a database's examples share a few. */
export async function drawVariant(request: VariantRequest): Promise<DrawnSchema | null> {
  const { database, seed, wholeSchemas } = request;
  const [{ group }] = request.examples;
  const whole = isWhole(request);
  const place = `${whole ? `${database.id}:${wholeSchemaNumber(seed, group)}` : group}:${slotName(request)}`;
  const drawn = (whole ? wholeSchemas.get(place) : undefined) ?? (await drawSchema(request, createRng(seed, place)));
  // What was taken in place of mentioned columns depends on the example.
  if (whole && drawn?.unmentioned === false) wholeSchemas.set(place, drawn);
  return drawn;
}

/** @throws SqlRewriteError when a query names a row id, which a view has not */
function requireNoRowid({ examples, database, dialect }: VariantRequest): void {
  for (const { query } of examples) {
    const rowid = resolveColumns(query, database, dialect).find(({ kind }) => kind === 'rowid');
    if (rowid !== undefined) {
      const fix = 'Give --materialize copy.';
      throw sqlFault(query, rowid.span.start, 'a database of views has no row ids', fix);
    }
  }
}

/** A refusal with its place next to the id: without it, equal reasons are counted together. */
function placeInId(id: string, error: PerturbqlError): SkippedItem {
  const place = error instanceof SqlRewriteError ? error.place : null;
  return { id: place === null ? id : `${id} at offset ${place.text}`, reason: error.summary };
}

/** Makes the outcome for one kind of variant of a group of examples; a turn that is refused takes no other with it. */
async function makeOutcome(request: VariantRequest, output: PerturbedDataset, views: boolean): Promise<KeptOutcome> {
  const { examples, kind } = request;
  const id = outcomeId(examples[0].group, request);
  const nothing = (one: SkippedItem): KeptOutcome => ({ variant: null, skipped: [one] });
  try {
    if (views) requireNoRowid(request);
    const drawn = await drawVariant(request);
    if (drawn === null) {
      return nothing({ id, reason: `no column of its database has ${kind === 'mixed' ? '' : `${kind} `}candidates` });
    }
    const rewrite = rewriteFor(request, drawn);
    const [turns, refused]: [KeptVariant['turns'][number][], [string, PerturbqlError][]] = [[], []];
    for (const example of examples) {
      try {
        turns.push({ id: example.id, query: rewrite(example.query) });
      } catch (error) {
        if (!(error instanceof PerturbqlError)) throw error;
        refused.push([example.id, error]);
      }
    }
    const [first] = refused;
    if (first !== undefined && turns.length === 0) return nothing(placeInId(id, first[1]));
    const skipped = refused.map(([turn, error]) => placeInId(outcomeId(turn, request), error));
    return { variant: output.prepare(request.database, kind, drawn, turns), skipped };
  } catch (error) {
    if (!(error instanceof PerturbqlError)) throw error;
    return nothing(placeInId(id, error));
  }
}

/** What variants are made with. */
export interface VariantParts {
  readonly run: CandidatesRun;
  readonly stages: CtaStages;
  /** Accepted candidates of a database. */
  readonly poolOf: (dbId: string) => CandidatePool;
  readonly kept: RunItems<KeptOutcome>;
  readonly host: RunHost;
}

/** Makes every variant of the examples of a run, or of its shard, that is not among the run's items already. */
export async function makeVariants(
  given: AugmentationOptions,
  { run, stages, poolOf, kept, host }: VariantParts,
): Promise<PerturbedDataset> {
  const { dataset, plan, options } = run;
  const slots = variantSlots(given.variants);
  const output = new PerturbedDataset(dataset, kept, slots);
  const own = [...dataset.examples()].filter(({ dbId }) => run.own.has(dbId));
  let done = 0;
  const report = (): void => {
    const detail = judge.asked === 0 ? '' : `${countNoun(judge.asked, 'pair')} of new names compared`;
    host.progress('examples perturbed', done, own.length, detail);
  };
  const judge = new EquivalenceJudge(run, stages, createStageContext(options.seed, host), report);
  // The schemas of the database at hand; examples of one database follow each other.
  const wholeSchemas = new LRUCache<string, DrawnSchema>({ max: SCHEMAS_AT_HAND });
  const perturb = async (examples: ExampleGroup): Promise<void> => {
    const [{ dbId, group }] = examples;
    const database = databaseOf(dataset, dbId);
    output.addOriginal(database);
    const readable = readableTurns(examples, plan.mentions);
    if (readable === null) return;
    const { turns, mention } = readable;
    for (const slot of slots) {
      const { columns, seed } = options;
      const drawn = { columns, seed, pool: poolOf(dbId), areEquivalent: judge.areEquivalent, wholeSchemas };
      const request = { ...given, ...slot, ...drawn, database, dialect: dataset.dialect, examples: turns, mention };
      const make = (): Promise<KeptOutcome> => makeOutcome(request, output, given.materialize === 'views');
      const { variant } = await kept.of(outcomeId(group, slot), make);
      if (variant !== null) output.addVariant(group, slot, variant);
    }
  };
  for (const examples of groupExamples(own)) {
    report();
    host.signal.throwIfAborted();
    await perturb(examples);
    done += examples.length;
  }
  kept.flush();
  report();
  return output;
}
