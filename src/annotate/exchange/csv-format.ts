import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { type CsvDialect, parseCsv, renderCsvRecord, sniffCsvDialect } from '../../formats/csv-text.js';
import { checkRecord, loadText } from '../../formats/json-file.js';
import { writeDurably } from '../../run/durable-file.js';
import { COLUMN_TYPES } from '../../schema/schema.js';
import {
  type AnnotationItem,
  ANSWER_STATES,
  type ListedCandidate,
  NAME_KINDS,
  type Role,
  ROLES,
  type StoredAnswer,
} from '../annotation.js';
import type { ItemRecord } from '../project/item-store.js';
import { contextSchema, listedSchema, parseCarried, scoresSchema, timeSchema } from './record-schema.js';
import {
  type ExchangeFormat,
  type ExchangeSet,
  inListOrder,
  inRevisionOrder,
  peopleOf,
  rolesOf,
  splitRevisions,
  UNDATED,
} from './exchange-set.js';
import { groupBy } from '../../run/group-by.js';

/** Prefixes that spreadsheets take for the start of a formula. https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/**
 * A text that no spreadsheet runs: one that begins like a formula gets an apostrophe in front, and so does one that
 * already has apostrophes there, so that `bareText` finds the text again.
 */
export function guardedText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text that `guardedText` guarded. */
export function bareText(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

const ESCAPES: readonly (readonly [RegExp, string])[] = [
  [/[\\|]/gu, '\\$&'],
  [/\n/gu, '\\n'],
  [/\r/gu, '\\r'],
  // Blanks round a name are left out when it is read.
  [/^ | $/gu, '\\s'],
  [/^$/u, '\\e'],
];
const UNESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', s: ' ', e: '' };

function escapeName(name: string): string {
  return ESCAPES.reduce((text, [pattern, by]) => text.replace(pattern, by), name);
}

/** Names in one cell: "home town | place of birth"; a backslash escapes bars, backslashes, line ends and blanks. */
export function joinNames(names: readonly string[]): string {
  return names.map(escapeName).join(' | ');
}

/** The names of a cell, trimmed; empty ones are skipped. */
export function splitNames(cell: string): readonly string[] {
  return [...cell.matchAll(/(?:\\.|[^|])+/gsu)].flatMap(([part]) => {
    const name = part.replace(/^ +| +$/gu, '');
    return name === '' ? [] : [name.replace(/\\(.)/gsu, (_, character: string) => UNESCAPES[character] ?? character)];
  });
}

/** RFC 4180. */
const RFC4180: CsvDialect = { delimiter: ',', escape: '"', newline: '\r\n' };

const FIX = 'Give each row the columns that `perturbql annotate export --format csv` writes.';

/** The kinds of rows: a current answer, an earlier one, the reviewer's, a stale save. */
const ROW_KINDS = ['answer', 'earlier', 'adjudication', 'conflict'] as const;
type RowKind = (typeof ROW_KINDS)[number];

/** The columns, in order. `details` is for the way back and is in an item's first row only. */
const COLUMNS = [
  'id',
  'kind',
  'db_id',
  'table',
  'table_original',
  'column',
  'column_original',
  'type',
  'candidates',
  'row',
  'annotator',
  'role',
  'state',
  'accepted',
  'written',
  'comment',
  'flagged',
  'revision',
  'saved_at',
  'details',
] as const;
type ColumnName = (typeof COLUMNS)[number];
type Cells = Readonly<Record<ColumnName, string>>;

/** Columns of which a file by hand can do without. */
const OPTIONAL: ReadonlySet<string> = new Set<ColumnName>([
  'row',
  'role',
  'written',
  'comment',
  'flagged',
  'revision',
  'saved_at',
  'details',
]);

const detailsSchema = z.strictObject({
  candidates: z.array(listedSchema),
  context: contextSchema,
  scores: scoresSchema,
});

function itemCells({ item, context, scores }: ItemRecord, isFirst: boolean): Partial<Cells> {
  const details = { candidates: item.candidates, context, scores };
  return {
    id: item.id,
    kind: item.kind,
    db_id: item.dbId,
    table: item.table,
    table_original: item.tableOriginal,
    column: item.column,
    column_original: item.columnOriginal,
    type: item.type,
    candidates: joinNames(item.candidates.map(({ name }) => name)),
    details: isFirst ? JSON.stringify(details) : '',
  };
}

function answerCells(row: RowKind, answer: StoredAnswer, role: Role): Partial<Cells> {
  return {
    row,
    annotator: answer.annotator,
    role,
    state: answer.state,
    accepted: joinNames(answer.accepted),
    written: joinNames(answer.written),
    comment: answer.comment,
    flagged: answer.flagged ? 'yes' : 'no',
    revision: String(answer.revision),
    saved_at: answer.savedAt,
  };
}

/** The rows of an item next to the item's own cells; one empty one where nobody has answered. */
function rowsOf(record: ItemRecord, roles: ReadonlyMap<string, Role>): readonly Partial<Cells>[] {
  const { standing, earlier } = splitRevisions(record.answers);
  const row =
    (kind: RowKind) =>
    (answer: StoredAnswer): Partial<Cells> =>
      answerCells(kind, answer, roles.get(answer.annotator) ?? 'annotator');
  const rows = [
    ...standing.map(row('answer')),
    ...record.adjudications.map(row('adjudication')),
    ...earlier.map(row('earlier')),
    ...record.conflicts.map(row('conflict')),
  ];
  return rows.length === 0 ? [{}] : rows;
}

function renderRow(cells: Partial<Cells>): string {
  return renderCsvRecord(
    COLUMNS.map((column) => guardedText(cells[column] ?? '')),
    RFC4180,
  );
}

function* renderSet({ people, records }: ExchangeSet): Generator<string> {
  yield renderCsvRecord(COLUMNS, RFC4180);
  const roles = rolesOf(people);
  for (const record of records) {
    for (const [i, row] of rowsOf(record, roles).entries()) yield renderRow({ ...itemCells(record, i === 0), ...row });
  }
}

/** A row with its place in the file, for messages. */
interface Row {
  readonly cells: Cells;
  readonly file: string;
  /** Number of the record, the header being 1. */
  readonly number: number;
}

function fault({ file, number, cells }: Row, message: string, fix: string): InputFormatError {
  return new InputFormatError(message, { where: { file, id: `record ${number}, item ${cells.id}` }, fix });
}

function choice<T extends string>(row: Row, column: ColumnName, choices: readonly T[]): T {
  const cell = row.cells[column];
  const found = choices.find((one) => one === cell);
  if (found !== undefined) return found;
  throw fault(row, `"${column}" is ${JSON.stringify(cell)}`, `Give one of ${choices.join(', ')}.`);
}

function readRows(file: string): readonly Row[] {
  const text = loadText(file);
  const [header = [], ...records] = parseCsv(text, file, sniffCsvDialect(text, file));
  const missing = COLUMNS.find((column) => !OPTIONAL.has(column) && !header.includes(column));
  if (missing !== undefined) {
    throw new InputFormatError(`there is no column "${missing}"`, { where: { file, line: 1 }, fix: FIX });
  }
  const at = COLUMNS.map((column) => [column, header.indexOf(column)] as const);
  return records.map((record, i) => ({
    cells: Object.fromEntries(at.map(([column, c]) => [column, bareText(record[c] ?? '')])) as Record<
      ColumnName,
      string
    >,
    file,
    number: i + 2,
  }));
}

function detailsOf(row: Row): z.infer<typeof detailsSchema> | null {
  if (row.cells.details === '') return null;
  const where = { file: row.file, id: `record ${row.number}, column details` };
  return checkRecord(detailsSchema, parseCarried(row.cells.details, where), where, FIX);
}

/** An item as its first row has it; names that `details` does not know are the user's own. */
function itemOf(row: Row, known: readonly ListedCandidate[]): AnnotationItem {
  const { cells } = row;
  if (cells.id === '') throw fault(row, 'the row has no "id"', FIX);
  const byName = new Map(known.map((candidate) => [candidate.name, candidate]));
  return {
    id: cells.id,
    kind: choice(row, 'kind', NAME_KINDS),
    dbId: cells.db_id,
    table: cells.table,
    tableOriginal: cells.table_original,
    column: cells.column,
    columnOriginal: cells.column_original,
    type: choice(row, 'type', COLUMN_TYPES),
    candidates: splitNames(cells.candidates).map(
      (name) => byName.get(name) ?? { name, source: 'annotation', origin: null },
    ),
  };
}

function savedAtOf(row: Row): string {
  const cell = row.cells.saved_at;
  if (cell === '') return UNDATED;
  const time = timeSchema.safeParse(cell);
  if (time.success) return time.data;
  throw fault(row, `"saved_at" is ${JSON.stringify(cell)}`, 'Leave the times as they were exported, or empty.');
}

function revisionOf(row: Row): number {
  const cell = row.cells.revision;
  if (cell === '') return 1;
  // 0 is what a stale save was made from where nothing had been saved before.
  if (/^(?:0|[1-9]\d{0,8})$/u.test(cell)) return Number(cell);
  throw fault(row, `"revision" is ${JSON.stringify(cell)}`, 'Leave the revisions as they were exported, or empty.');
}

/** Columns with the content of an answer: a row with none of it is of an item that nobody has answered. */
const CONTENT = ['state', 'accepted', 'written', 'comment', 'flagged'] as const satisfies readonly ColumnName[];

/** Checks whether a row holds an answer. @throws InputFormatError where it has one of nobody */
function hasAnswer(row: Row): boolean {
  const { cells } = row;
  if (cells.annotator !== '') return true;
  if (CONTENT.every((column) => cells[column] === '')) return false;
  throw fault(row, 'an answer has no "annotator"', 'Say who it is by, or leave its other cells empty as well.');
}

function answerOf(row: Row, item: AnnotationItem): StoredAnswer {
  const { cells } = row;
  return {
    itemId: item.id,
    annotator: cells.annotator,
    revision: revisionOf(row),
    savedAt: savedAtOf(row),
    state: choice(row, 'state', ANSWER_STATES),
    accepted: inListOrder(splitNames(cells.accepted), item),
    written: splitNames(cells.written),
    comment: cells.comment,
    flagged: cells.flagged !== '' && choice(row, 'flagged', ['yes', 'no']) === 'yes',
  };
}

function recordOf(rows: readonly [Row, ...Row[]], people: Map<string, Role>): ItemRecord {
  // Rows may have been sorted.
  const details = detailsOf(rows.find(({ cells }) => cells.details !== '') ?? rows[0]);
  const item = itemOf(rows[0], details?.candidates ?? []);
  const answers: Record<RowKind, StoredAnswer[]> = { answer: [], earlier: [], adjudication: [], conflict: [] };
  for (const row of rows) {
    const { annotator, row: kindCell, role } = row.cells;
    if (!hasAnswer(row)) continue;
    const kind = kindCell === '' ? 'answer' : choice(row, 'row', ROW_KINDS);
    answers[kind].push(answerOf(row, item));
    if (!people.has(annotator)) people.set(annotator, role === '' ? defaultRole(kind) : choice(row, 'role', ROLES));
  }
  return {
    item,
    context: details?.context ?? { entity: null, columns: [], rows: [], questions: [] },
    scores: details?.scores ?? [],
    answers: inRevisionOrder([...answers.earlier, ...answers.answer]),
    adjudications: answers.adjudication.sort((a, b) => a.revision - b.revision),
    conflicts: answers.conflict,
  };
}

function defaultRole(kind: RowKind): Role {
  return kind === 'adjudication' ? 'reviewer' : 'annotator';
}

function readSet(file: string): ExchangeSet {
  const byItem = groupBy(readRows(file), ({ cells }) => cells.id);
  const roles = new Map<string, Role>();
  const records = [...byItem.values()].map((rows) => recordOf(rows, roles));
  return { name: 'annotation', people: peopleOf(roles), notes: {}, records };
}

/**
 * CSV as RFC 4180 has it, a row per answer, for spreadsheets: no cell is run as a formula, whatever a name or a comment
 * begins with.
 */
export const CSV_FORMAT: ExchangeFormat = {
  out: 'file',
  oneKind: false,
  holdsSplits: false,
  write: (set, out) => writeDurably(out, renderSet(set)),
  read: (path) => readSet(path),
};
