import type { DatasetExample } from '../../formats/dataset.js';
import { identifierKey } from '../../schema/name-identity.js';
import type { Database } from '../../schema/schema.js';
import { readPredictionFile, splitBirdMark, withoutSurplus } from '../inputs/predictions.js';
import { type GoldFinding, plainFinding } from './finding.js';

/** A prediction as its file has it. */
interface PlacedPrediction {
  /** Where the file names an id. */
  readonly id: string | null;
  readonly sql: string;
  /** Where the file names a database. */
  readonly dbId: string | null;
  /** "line 12", "record 3". */
  readonly place: string;
}

function splitDatabase(text: string, dbIds: ReadonlySet<string>): Pick<PlacedPrediction, 'sql' | 'dbId'> {
  const marked = splitBirdMark(text);
  if (marked.dbId !== null) return marked;
  const tab = text.lastIndexOf('\t');
  const last = text.slice(tab + 1).trim();
  return tab >= 0 && dbIds.has(last) ? { sql: text.slice(0, tab), dbId: last } : { sql: text, dbId: null };
}

/** `count`: the lines that are expected where interactions are not separated by blank ones. */
function placedPredictions(
  file: string,
  isDialog: boolean,
  count: number,
  dbIds: ReadonlySet<string>,
): readonly PlacedPrediction[] {
  const read = readPredictionFile(file);
  if (read.form === 'ids') {
    return read.predictions.map(({ id, sql, place }) => ({ id, place, ...splitDatabase(sql ?? '', dbIds) }));
  }
  const { lines } = read;
  const kept = isDialog ? lines.filter(({ text }) => text.trim() !== '') : withoutSurplus(lines, count);
  return kept.map(({ text, line }) => ({ id: null, place: `line ${line}`, ...splitDatabase(text, dbIds) }));
}

function idFindings(predictions: readonly PlacedPrediction[], examples: readonly DatasetExample[]): GoldFinding[] {
  const ids = new Set(examples.flatMap(({ id }, i) => [id, String(i)]));
  const given = new Set<string>();
  const [twice, unknown]: [string[], string[]] = [[], []];
  for (const { id } of predictions) {
    if (id === null) continue;
    if (given.has(id)) twice.push(id);
    else if (!ids.has(id)) unknown.push(id);
    given.add(id);
  }
  const listed = (some: readonly string[]): string => `${some.slice(0, 3).join(', ')}${some.length > 3 ? ', …' : ''}`;
  const found: GoldFinding[] = [];
  if (twice.length > 0)
    found.push(plainFinding('predictions', `${twice.length} ids have several predictions: ${listed(twice)}.`));
  if (unknown.length > 0)
    found.push(
      plainFinding('predictions', `${unknown.length} predictions have ids that no example has: ${listed(unknown)}.`),
    );
  return found;
}

/** The tables that a query names after FROM and JOIN, in lower case; a prediction need be no SQL that can be read. */
function namedTables(sql: string): readonly string[] {
  return [...sql.matchAll(/\b(?:from|join)\s+["`[]?([\p{L}_][\p{L}\p{N}_]*)/giu)].map(([, name = '']) =>
    identifierKey(name),
  );
}

type TableNames = ReadonlyMap<string, ReadonlySet<string>>;

/** Checks whether all tables of a prediction are another database's, and some of them not its own. */
function isForeign({ sql }: PlacedPrediction, dbId: string, names: TableNames): boolean {
  const tables = namedTables(sql);
  const own = names.get(dbId);
  if (tables.length === 0 || own === undefined || tables.every((table) => own.has(table))) return false;
  return [...names.values()].some((other) => tables.every((table) => other.has(table)));
}

/** Share of predictions of another database from which on the order is in doubt; a model may take some. */
const FOREIGN_SHARE = 0.02;

/** Predictions that are another database's than their example's. */
function misplaced(
  predictions: readonly PlacedPrediction[],
  examples: readonly DatasetExample[],
  isWrong: (prediction: PlacedPrediction, example: DatasetExample) => boolean,
): readonly PlacedPrediction[] {
  return predictions.filter((prediction, i) => {
    const example = examples[i];
    return example !== undefined && isWrong(prediction, example);
  });
}
function orderFindings(
  predictions: readonly PlacedPrediction[],
  examples: readonly DatasetExample[],
  databases: ReadonlyMap<string, Database>,
): GoldFinding[] {
  const named = misplaced(predictions, examples, ({ dbId }, example) => dbId !== null && dbId !== example.dbId);
  const [first] = named;
  if (first !== undefined) {
    return [
      plainFinding(
        'predictions',
        `${named.length} predictions name another database than their gold; the first is ${first.place}, of ${first.dbId ?? ''}.`,
      ),
    ];
  }
  const names: TableNames = new Map(
    [...databases].map(([id, { tables }]) => [id, new Set(tables.map((table) => identifierKey(table.originalName)))]),
  );
  const foreign = misplaced(predictions, examples, (prediction, { dbId }) => isForeign(prediction, dbId, names));
  const [from] = foreign;
  if (from === undefined || foreign.length < 3 || foreign.length < predictions.length * FOREIGN_SHARE) return [];
  return [
    plainFinding(
      'predictions',
      `${foreign.length} of ${predictions.length} predictions read tables that their gold's database lacks and another one has, from ${from.place} on: they are in another order.`,
    ),
  ];
}

/**
 * Checks whether a file of predictions goes with a data set: as many, by known ids or in the order of the examples. It
 * is read as `readPredictionFile` says.
 * @throws InputFormatError where the file is none of these
 */
export function checkPredictions(
  file: string,
  examples: readonly DatasetExample[],
  databases: ReadonlyMap<string, Database>,
): readonly GoldFinding[] {
  const dbIds = new Set(databases.keys());
  const isDialog = examples.some(({ id, group }) => id !== group);
  const predictions = placedPredictions(file, isDialog, examples.length, dbIds);
  const count = predictions.length;
  const found = [...idFindings(predictions, examples)];
  if (count !== examples.length)
    found.push(plainFinding('predictions', `There are ${count} predictions for ${examples.length} examples.`));
  const byId = new Map(
    examples.flatMap((example, i) => [[example.id, example] as const, [String(i), example] as const]),
  );
  const paired = predictions.map(({ id }, i) => (id === null ? examples[i] : byId.get(id)));
  const known = predictions.filter((_, i) => paired[i] !== undefined);
  return [
    ...found,
    ...orderFindings(
      known,
      paired.filter((example) => example !== undefined),
      databases,
    ),
  ];
}
