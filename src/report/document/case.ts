import type { PackedValues } from './pack-values.js';
import type { Database } from '../../schema/schema.js';

/** The item of the lowest rank, the first of equal ones: the case that a page has open. Each item is ranked once. */
export function lowestRanked<T>(items: readonly T[], rankOf: (item: T) => number): T | undefined {
  let lowest: { readonly item: T; readonly rank: number } | undefined;
  for (const item of items) {
    const rank = rankOf(item);
    if (lowest === undefined || rank < lowest.rank) lowest = { item, rank };
  }
  return lowest?.item;
}

/** Color of a text, a bar or a mark: a verdict, a kind of change, or none of these. */
export type Tone = 'good' | 'bad' | 'soft' | 'rpl' | 'add' | 'original';

// Cases of a document: an example before and after a change, or a gold query next to an answer. Types alone: the page's
// script reads them too.

/** A name that is marked wherever it stands in a query, and why. */
export interface NameMark {
  readonly name: string;
  readonly as: 'renamed' | 'added' | 'stale';
  readonly title: string;
}

export interface CaseColumn {
  readonly name: string;
  readonly change: 'renamed' | 'added' | 'removed' | null;
}

export interface CaseTable {
  readonly name: string;
  readonly columns: readonly CaseColumn[];
}

/** A stretch of a question that is put together from two others, and the one that it comes from. */
export interface QuestionPart {
  readonly text: string;
  readonly of: 'first' | 'second' | null;
}

export interface CaseQuery {
  readonly label: string;
  /** The question that it answers, where that is not the case's own. */
  readonly asked?: readonly QuestionPart[];
  /** Null where there is none; `note` says why. */
  readonly sql: string | null;
  /** Another query; what this one has differently is underlined. Null where nothing is compared. */
  readonly against: string | null;
  readonly note: string | null;
  readonly verdicts: readonly { readonly label: string; readonly tone: Tone }[];
}

/** The first rows of a result, or of a table. */
export interface CaseRows {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** All rows, of which `rows` are the first. */
  readonly count: number;
  /** Positions in `rows` of those that the other side lacks. */
  readonly differing: readonly number[];
}

/** One side of a case: the question, the tables it was asked of, and the outcome. */
export interface CaseSide {
  readonly label: string;
  /** Where it is another one than the other side's. */
  readonly question: string | null;
  readonly tables: readonly CaseTable[];
  readonly marks: readonly NameMark[];
  readonly queries: readonly CaseQuery[];
  readonly results: readonly CaseRows[];
}

export interface ReportCase {
  /** Unique in its section; its address is `#case=<id>`. */
  readonly id: string;
  readonly question: string;
  /** The question again, where its parts are marked. */
  readonly parts?: readonly QuestionPart[];
  /** The particulars of the case, in a few words: "name → full name". */
  readonly gloss: string;
  /** One of the section's statuses. */
  readonly status: string;
  /** By facet; a case without a value fits no choice of it. */
  readonly facets: Readonly<Record<string, string>>;
  /** Why it is as it is, in a sentence; null where nothing can be told. */
  readonly reason: string | null;
  /** Rows below the queries: those that all sides are asked of, or two results that differ. */
  readonly given?: readonly CaseRows[];
  readonly sides: readonly [CaseSide] | readonly [before: CaseSide, after: CaseSide];
  /** Remarks at its end. */
  readonly notes: readonly string[];
}

/** A possible outcome of a case, in the order in which cases are listed. */
export interface CaseStatus {
  readonly id: string;
  readonly label: string;
  readonly tone: Tone;
}

/** Something that cases are filtered by. */
export interface Facet {
  readonly id: string;
  readonly label: string;
}

/** Cases that a reader goes through, one of them open; a document has one such section at most. */
export interface CasesSection {
  readonly kind: 'cases';
  /** Word for one, "case". */
  readonly noun: string;
  readonly statuses: readonly CaseStatus[];
  /** Label of the statuses' filter; default: "Result". */
  readonly statusLabel?: string;
  readonly facets: readonly Facet[];
  readonly cases: readonly ReportCase[];
  /** Id of the case that is open at first; default: the first one. */
  readonly open: string | null;
  /** File with all of them, where a page can't hold as many; default: report.json. */
  readonly allIn?: string;
}

/** The data about cases for the script of a page; they are `packed`. */
export type CaseData = Pick<CasesSection, 'noun' | 'statuses' | 'open'> & { readonly packed: PackedValues };

/** A metric's verdict on an answer, as cases show it: "✗ Execution accuracy: wrong". */
export function caseVerdict(title: string, outcome: string): CaseQuery['verdicts'][number] {
  return outcome === 'correct'
    ? { label: `✓ ${title}`, tone: 'good' }
    : { label: `✗ ${title}: ${outcome}`, tone: 'bad' };
}

type Tables = ReadonlyMap<string, readonly string[]>;

/** The columns of each table, then each foreign key as a table without columns. */
function tablesOf({ tables, foreignKeys }: Database): Tables {
  const nameAt = ({ table, column }: (typeof foreignKeys)[number]['from']): string =>
    `${tables[table]?.originalName ?? ''}.${tables[table]?.columns[column]?.originalName ?? ''}`;
  return new Map<string, readonly string[]>([
    ...tables.map((one) => [one.originalName, one.columns.map((column) => column.originalName)] as const),
    ...foreignKeys.map(({ from, to }) => [`foreign key ${nameAt(from)} → ${nameAt(to)}`, []] as const),
  ]);
}

const key = (columns: readonly string[] | undefined): string => JSON.stringify(columns ?? null);

/** The tables of one schema that the other has not just so; the columns of a table that it has at all are compared. */
function changedOf(own: Tables, other: Tables, change: 'added' | 'removed'): readonly CaseTable[] {
  return [...own].flatMap(([name, columns]) => {
    const twin = other.get(name);
    if (key(twin) === key(columns)) return [];
    const marked = (column: string): CaseColumn => ({ name: column, change: twin?.includes(column) ? null : change });
    return [{ name, columns: columns.map(marked) }];
  });
}

/** Returns the differences between two schemas, as tables of each; all names if only the order of tables differs. */
export function schemaChanges(
  before: Database,
  after: Database,
): readonly [before: readonly CaseTable[], after: readonly CaseTable[]] {
  const [first, second] = [tablesOf(before), tablesOf(after)];
  const changed = [changedOf(first, second, 'removed'), changedOf(second, first, 'added')] as const;
  const isSame = changed[0].length + changed[1].length === 0;
  if (!isSame || key([...first.keys()]) === key([...second.keys()])) return changed;
  const names = (tables: Tables): CaseTable[] => [...tables.keys()].map((name) => ({ name, columns: [] }));
  return [names(first), names(second)];
}
