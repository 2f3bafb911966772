import {
  type CaseSide,
  type CasesSection,
  type CaseStatus,
  type ReportCase,
  schemaChanges,
} from '../../report/document/case.js';
import { casesOf } from '../../report/document/sections.js';
import { groupBy } from '../../run/group-by.js';
import type { Database, Example } from '../../schema/schema.js';
import { relationOf } from '../relations/counted-relation.js';
import { type ExpectedAnswer, expectedAnswer } from '../relations/relation.js';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';

/** Mutants shown of a relation; mutants.jsonl has them all. */
const MOST_SAMPLES = 5;

export interface SampleInput {
  readonly records: readonly MutantRecord[];
  readonly examples: readonly Example[];
  readonly schemaOf: (id: string) => Database;
  /** Names of relations by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

/** The first mutants of a relation, of as many examples and levels as can be; those with another gold query before others. */
function samplesOf(records: readonly MutantRecord[], goldOf: (seed: string) => string | null): readonly MutantRecord[] {
  const [fresh, rest]: [MutantRecord[], MutantRecord[]] = [[], []];
  const [seeds, levels] = [new Set<string>(), new Set<string | undefined>()];
  for (const record of records) {
    const isNew = !seeds.has(record.seed) || !levels.has(record.level);
    (isNew ? fresh : rest).push(record);
    seeds.add(record.seed);
    levels.add(record.level);
  }
  const isRewritten = ({ seed, query }: MutantRecord): boolean => query !== goldOf(seed);
  const ordered = [...fresh.filter(isRewritten), ...fresh.filter((one) => !isRewritten(one)), ...rest];
  return ordered.slice(0, MOST_SAMPLES);
}

const NO_GOLD = { kept: null, 'other-query': null, unanswerable: 'Nothing answers the question any more.' } as const;

function caseOf(record: MutantRecord, seed: Example, { schemaOf, names }: SampleInput): ReportCase {
  const [before, after] = [schemaOf(record.origin), schemaOf(record.db_id)];
  const [first, second] = schemaChanges(before, after);
  const isSameQuestion = seed.question === record.question;
  const expected = expectedAnswer(record);
  const gold = seed.query === '' ? null : seed.query;
  const sideOf = (
    label: string,
    question: string,
    tables: CaseSide['tables'],
    [sql, against]: readonly [string | null, string | null],
  ): CaseSide => ({
    label,
    question: isSameQuestion ? null : question,
    tables,
    marks: [],
    queries:
      gold === null && record.query === null
        ? []
        : [{ label: 'Gold SQL', sql, against, note: sql === null ? NO_GOLD[expected] : null, verdicts: [] }],
    results: [],
  });
  const relation = relationOf(record);
  const name = record.relations.map((id) => names.get(id) ?? id).join(', then ');
  return {
    id: record.id,
    question: record.question,
    gloss: `${relation}: ${record.details.join('; ')}`,
    status: expected,
    facets: { relation: `${relation}, ${name}`, database: record.origin },
    reason: null,
    sides: [
      sideOf('Example', seed.question, first, [gold, record.query]),
      sideOf('Mutant', record.question, second, [record.query, gold]),
    ],
    notes: [],
  };
}

/** A case whose schema and gold query both change, in few words; the first one where there is none. */
function tellingSample(cases: readonly ReportCase[]): string | null {
  const changed = cases.filter(({ status, sides: [before, after] }) => {
    const [first, second] = [before.queries[0]?.sql, after?.queries[0]?.sql];
    return status === 'kept' && before.tables.length > 0 && first != null && second != null && first !== second;
  });
  const sizeOf = ({ sides }: ReportCase): number =>
    sides.flatMap(({ tables }) => tables).reduce((sum, { columns }) => sum + columns.length, 0);
  return [...changed].sort((a, b) => sizeOf(a) - sizeOf(b))[0]?.id ?? cases[0]?.id ?? null;
}

/** What is the right answer to a mutant. */
export const ANSWER_STATUSES: readonly (CaseStatus & { readonly id: ExpectedAnswer })[] = [
  { id: 'kept', label: 'Same answer', tone: 'good' },
  { id: 'other-query', label: 'Another answer', tone: 'add' },
  { id: 'unanswerable', label: 'No answer', tone: 'bad' },
];

/** Some mutants of each relation next to their examples. */
export function mutantSamples(input: SampleInput): CasesSection {
  const seeds = new Map(input.examples.map((example) => [example.id, example]));
  const goldOf = (seed: string): string | null => seeds.get(seed)?.query ?? null;
  const cases = [...groupBy(input.records, relationOf).values()].flatMap((own) =>
    samplesOf(own, goldOf).flatMap((record) => {
      const seed = seeds.get(record.seed);
      return seed === undefined ? [] : [caseOf(record, seed, input)];
    }),
  );
  return casesOf(ANSWER_STATUSES, ['relation', 'database'], cases, tellingSample(cases), { noun: 'mutant' });
}
