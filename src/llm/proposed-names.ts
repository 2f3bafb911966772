import { z } from 'zod';
import type { Candidate, StageContext, TargetColumn } from '../stage.js';
import { readJsonAnswer } from './json-answer.js';

/** Characters of a name; no rule lets a longer one pass. */
export const LONGEST_NAME = 100;
const names = z.array(z.string().trim().toLowerCase().min(1).max(LONGEST_NAME));

/** The fields of an answer. */
export const NAME_LISTS = {
  /** To stand in the column's place: RPL. */
  replacements: names,
  /** To be next to it: ADD. */
  additions: names,
};

const answerFormat = z.strictObject(NAME_LISTS);

/** A model's proposals for a column, best first. */
export type ProposedNames = Readonly<z.infer<typeof answerFormat>>;

/**
 * Reads an answer: one JSON object of the two lists and nothing else. Prose, further fields, and names that are no
 * texts or longer than 100 characters make it none. Null where it is none.
 */
export function readProposedNames(answer: string): ProposedNames | null {
  return answerFormat.safeParse(readJsonAnswer(answer)).data ?? null;
}

const tableFormat = z.strictObject({
  columns: z.array(z.strictObject({ column: z.string().trim().toLowerCase(), ...NAME_LISTS })),
});

/**
 * Reads an answer about all columns of a table, as strictly as {@link readProposedNames}: names by the lower-case name
 * of the column, of one named twice the first ones. Null where it is another answer.
 */
export function readTableNames(answer: string): ReadonlyMap<string, ProposedNames> | null {
  const { data } = tableFormat.safeParse(readJsonAnswer(answer));
  if (data === undefined) return null;
  return new Map(data.columns.toReversed().map(({ column, ...lists }) => [column, lists]));
}

/** A line of a file of proposals, which {@link RecordedProposer} reads. */
export interface RecordedNames extends ProposedNames {
  readonly id: string;
}

/** Returns the proposals for a column, to be recorded. */
export function recordNames(column: TargetColumn, candidates: readonly Candidate[]): RecordedNames {
  const proposedFor = (bucket: 'RPL' | 'ADD'): string[] =>
    candidates.filter((one) => one.proposedFor === bucket).map(({ name }) => name);
  return { id: columnId(column), replacements: proposedFor('RPL'), additions: proposedFor('ADD') };
}

/** Who proposes names for columns: a model that is asked, or a file of what one has answered. */
export interface NameProposer {
  /** Everything that proposals depend on, without secrets. */
  readonly fingerprint: string;
  /**
   * Null where there is no usable answer for the column.
   * @throws EndpointError or ConfigError when there will be none for others either
   */
  propose(column: TargetColumn, context: StageContext): Promise<ProposedNames | null>;
  /** Describes the requests so far and their cost, in one line. */
  describe(): string;
}

/** A column's id in proposals: "concert_singer/singer/Song_Name". */
export function columnId({ target: { dbId, table }, column }: TargetColumn): string {
  return `${dbId}/${table.originalName}/${table.columns[column]?.originalName ?? ''}`;
}
