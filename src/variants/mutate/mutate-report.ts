import { type LeftOutGroup, leftOutGroup } from '../../report/left-out.js';
import { groupBy } from '../../run/group-by.js';
import { mustGet } from '../../present.js';
import { FLUENCY_DIGITS, type MutationParts } from './database-mutants.js';
import type { Tallies } from './mutant-tally.js';
import { z } from 'zod';
import { EXPECTATIONS, type MutantRecord } from '../../formats/artifacts/mutants.js';
import { loadReport } from '../../report/stored-report.js';
import { relationOf } from '../relations/counted-relation.js';
import { areMutantsVerified, mutantVerification } from '../verify/verify-mutants.js';

const counts = z.record(z.string(), z.int()).readonly();

/** The entry of `report.json` for one relation. */
const reportedRelation = z
  .object({
    name: z.string(),
    cases: z.int(),
    applied: z.int(),
    notApplicable: counts,
    unexpressible: counts,
    dropped: counts,
    /** Mutants written: those that sampling kept of `cases`. */
    written: z.int(),
    /**
     * Of what is written: whose question is answered by the same gold, by another one, asks something else, or is
     * answered by none any more.
     */
    expectations: z.record(z.enum(EXPECTATIONS), z.int()).readonly(),
    /** Seeds with a mutant that is written. */
    seeds: z.int(),
    /** Mean fluency of its questions, where it has other ones than the seeds (MT-TEQL preprint §4.1). */
    fluency: z.number().nullable(),
  })
  .readonly();
export type ReportedRelation = z.infer<typeof reportedRelation>;

const mutateReport = z
  .object({
    format: z.literal('perturbql-mutate'),
    version: z.literal(1),
    perturbql: z.string(),
    /** Name of the file or folder with the examples, "dev.json"; absent where there is none, and in earlier reports. */
    examplesName: z.string().exactOptional(),
    dataset: z.string(),
    examples: z.int(),
    /** Examples without gold SQL, which only some relations can do without; absent where all have it. */
    withoutGold: z.int().exactOptional(),
    /** Under the paper's abbreviations; composed ones under their names together, "CRm+PI". */
    relations: z.record(z.string(), reportedRelation).readonly(),
    /** `schemas`: distinct ones among what is written, the data set's own left out. */
    total: z.object({ cases: z.int(), written: z.int(), schemas: z.int() }).readonly(),
    /** Means over the seeds' questions, and over the other ones that are written; null where there are none. */
    fluency: z.object({ seeds: z.number(), mutants: z.number().nullable() }).readonly(),
    /** The findings from writing and executing databases; null if none was written. */
    databases: z
      .object({
        unwritten: z.array(z.object({ id: z.string(), reason: z.string() }).readonly()).readonly(),
        verification: mutantVerification,
      })
      .readonly()
      .nullable(),
    warnings: z.array(z.string()).readonly(),
    /** Schemas and examples that could not be read, by reason; absent where there are none. */
    leftOut: z.array(leftOutGroup).readonly().exactOptional(),
  })
  .readonly();

/** `report.json` of `perturbql mutate`: plain JSON without times. */
export type MutateReport = z.infer<typeof mutateReport>;

/** Reads the report of a run of mutants. @throws InputFormatError as `loadReport` */
export function loadMutateReport(run: string): MutateReport {
  return loadReport(run, {
    command: 'mutate',
    what: 'mutants',
    format: 'perturbql-mutate',
    version: 1,
    schema: mutateReport,
    oldKeys: {},
    again: 'Run `perturbql mutate`',
  });
}

/** Checks whether every gold query gave on its mutant's database what its seed's gives. */
export function areGoldsEqual({ databases }: Pick<MutateReport, 'databases'>): boolean {
  return databases === null || (databases.unwritten.length === 0 && areMutantsVerified(databases.verification));
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(FLUENCY_DIGITS));
}

function fluenciesOf(records: readonly MutantRecord[]): readonly number[] {
  return records.flatMap(({ fluency }) => (fluency === null ? [] : [fluency]));
}

export interface ReportInput {
  readonly perturbql: string;
  readonly examplesName?: string;
  readonly dataset: string;
  readonly questions: readonly string[];
  /** How many of them have no gold SQL. */
  readonly withoutGold: number;
  readonly databases: MutateReport['databases'];
  readonly parts: Pick<MutationParts, 'relations' | 'fluency'>;
  readonly names: ReadonlyMap<string, string>;
  readonly tallies: Tallies;
  /** The mutants that are written. */
  readonly records: readonly MutantRecord[];
  readonly warnings: readonly string[];
  readonly leftOut: readonly LeftOutGroup[];
}

function reportRelation(key: string, input: ReportInput, own: readonly MutantRecord[]): ReportedRelation {
  const names = key.split('+').map((id) => input.names.get(id) ?? id);
  const tally = mustGet(input.tallies[key], 'input.tallies[key]');
  const held = (expectation: MutantRecord['expectation']): number =>
    own.filter((record) => record.expectation === expectation).length;
  return {
    name: names.join(', then '),
    ...tally,
    written: own.length,
    expectations: {
      'same-query': held('same-query'),
      'same-result': held('same-result'),
      'other-query': held('other-query'),
      unanswerable: held('unanswerable'),
    },
    seeds: new Set(own.map(({ seed }) => seed)).size,
    fluency: mean(fluenciesOf(own)),
  };
}

/** Relations as they were asked for, compositions behind them by name. */
function orderedKeys({ parts, tallies }: ReportInput): readonly string[] {
  const first = parts.relations.map(({ id }) => id).filter((id) => tallies[id] !== undefined);
  const composed = Object.keys(tallies).filter((key) => !first.includes(key));
  return [...first, ...composed.sort((a, b) => a.split('+').length - b.split('+').length || (a < b ? -1 : 1))];
}

/** Sums up a run: counts, and reasons where there is no mutant. */
export function reportMutants(input: ReportInput): MutateReport {
  const { perturbql, examplesName, dataset, questions, withoutGold } = input;
  const { databases, parts, records, warnings, leftOut } = input;
  const byRelation = groupBy(records, relationOf);
  const keys = orderedKeys(input);
  const relations = keys.map((key) => [key, reportRelation(key, input, byRelation.get(key) ?? [])] as const);
  return {
    format: 'perturbql-mutate',
    version: 1,
    perturbql,
    ...(examplesName !== undefined && { examplesName }),
    dataset,
    examples: questions.length,
    ...(withoutGold === 0 ? {} : { withoutGold }),
    relations: Object.fromEntries(relations),
    total: {
      cases: relations.reduce((sum, [, { cases }]) => sum + cases, 0),
      written: records.length,
      schemas: new Set(records.filter(({ db_id, origin }) => db_id !== origin).map(({ db_id }) => db_id)).size,
    },
    fluency: {
      seeds: mean(questions.map((question) => parts.fluency.score(question))) ?? 0,
      mutants: mean(fluenciesOf(records)),
    },
    databases,
    warnings,
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}
