import type { NounKinds } from '../dictionary/noun-kinds.js';
import { headIndex, type Inflector } from '../dictionary/inflection.js';
import { columnNameKey, wordsOf } from '../schema/name-identity.js';
import {
  type Candidate,
  type CandidateSource,
  targetColumn,
  type StageContext,
  type TargetColumn,
  type TargetTable,
  type TpePredictor,
} from '../stage.js';
import type { Attribute, AttributeCatalog, EntityClass } from './attribute-catalog.js';
import { type AskNearness, FILING_WORDS, fittingClass, type FoundClasses } from './class-fit.js';
import type { Table } from '../schema/schema.js';
import { zip } from '../present.js';

/** Words of columns that count or relate what a row sums up, the abbreviations of published files among them. */
const FIGURE_WORDS = new Set(
  (
    'count counts cnt number num total totals tot percent percentage pct per rate ratio proportion share average avg ' +
    'mean median index sum'
  ).split(' '),
);
/** Words of columns that say for which time a figure holds. */
const PERIOD_WORDS = new Set('year quarter month week semester season period'.split(' '));
const PERIOD_MODIFIERS = new Set('school fiscal academic calendar reporting report'.split(' '));

/** Words for subjects of field work: occasions, and places. */
const OCCASION_WORDS = new Set('event visit survey session trip sample observation inspection'.split(' '));
const PLACE_WORDS = new Set('location site plot station point transect zone'.split(' '));

/** The words of each column that is an id. */
function idsOf({ columns }: Table): readonly (readonly string[])[] {
  return columns.map(({ name }) => wordsOf(name)).filter((words) => words.at(-1) === 'id');
}

/** Checks whether at least two columns, and all but one, are ids: of what the rows link. */
function isLinkTable(table: Table): boolean {
  const ids = idsOf(table).length;
  return ids >= 2 && ids >= table.columns.length - 1;
}

/**
 * Checks whether rows are published figures: at least two columns count or relate something, and one says for which
 * year or other period they hold, or a third of them do, four or more. What counts is "number of seats", not a "house
 * number".
 */
function isStatistics({ columns }: Table): boolean {
  const named = columns.map(({ name }) => wordsOf(name));
  const figures = named.filter((words) => words.at(-1) !== 'number' && words.some((word) => FIGURE_WORDS.has(word)));
  const hasManyFigures = figures.length >= Math.max(4, columns.length / 3);
  return hasManyFigures || (figures.length >= 2 && named.some(saysPeriod));
}

/** "Year" and "school year", but no "open year". */
function saysPeriod(words: readonly string[]): boolean {
  return PERIOD_WORDS.has(words.at(-1) ?? '') && words.slice(0, -1).every((word) => PERIOD_MODIFIERS.has(word));
}

/**
 * Checks whether rows say what things of another table were like at a time: "player attributes" with a date, next to
 * "player". Such a row has what was measured then; what a player has once stands with the players.
 */
function isSnapshot({ table, siblings = [] }: TargetTable, entity: string): boolean {
  const isFiled = FILING_WORDS.has(wordsOf(table.name).at(-1) ?? '');
  const isDated = table.columns.some(
    ({ name, type }) => type === 'time' || saysPeriod(wordsOf(name)) || /\bdate$/.test(name),
  );
  return isFiled && isDated && siblings.some(({ name }) => columnNameKey(name) === columnNameKey(entity));
}

/** Last words of columns that only tell one value from another. */
const LABEL_WORDS = new Set('id code key name description text label title value'.split(' '));

/**
 * Checks whether rows are values that other tables refer to: a key, and what it stands for, in two columns or three.
 */
function isLookup({ name, columns }: Table): boolean {
  const labels = columns.filter((one) => LABEL_WORDS.has(wordsOf(one.name).at(-1) ?? '') || saysTable(one.name, name));
  return columns.length > 1 && columns.length <= 3 && labels.length === columns.length;
}

/** Checks whether a column is called as its table is: "behavior" of "tlu behavior". */
function saysTable(column: string, table: string): boolean {
  return ` ${columnNameKey(table)}`.endsWith(` ${columnNameKey(column)}`);
}

/** Checks whether rows were recorded in the field: keys say at which occasion, and at which place. */
function isFieldRecord(table: Table): boolean {
  const ids = idsOf(table);
  return [OCCASION_WORDS, PLACE_WORDS].every((kind) => ids.some((words) => kind.has(words.at(-2) ?? '')));
}

/** Cosine of two names, -1 to 1, null where either has no vector. */
type Similarity = (a: string, b: string) => number | null;

/** Last words of a column name without which it may name the same attribute: "team name". */
const NAMING_WORDS = new Set('name names'.split(' '));

export interface AttributeSourceParts {
  readonly catalog: AttributeCatalog;
  readonly tpe: TpePredictor;
  readonly inflector: Inflector;
  readonly nounKinds: NounKinds;
  readonly similarity: Similarity;
  /** Attributes proposed per column: what goes with it first, then what its rows' entity has. */
  readonly keep: number;
  /** How near a class is to a table; null where that is not asked: the first sense of a noun then counts. */
  readonly nearness: AskNearness | null;
}

/**
 * Additions by what a table's rows are, beyond ADVETA: the attributes that a catalog has for the primary entity, and
 * what goes with the target column itself. A table of an index has what its own rows have; what a row of the target is,
 * only its primary entity says (ADVETA §2.1).
 */
export class AttributeSource implements CandidateSource {
  readonly id = 'attributes';
  readonly fingerprint: string;
  readonly #parts: AttributeSourceParts;

  constructor(parts: AttributeSourceParts) {
    this.#parts = parts;
    this.fingerprint = `attributes-source-4:${parts.keep}:${parts.catalog.fingerprint}:${parts.tpe.fingerprint}`;
  }

  async propose(columns: readonly TargetColumn[], context: StageContext): Promise<readonly (readonly Candidate[])[]> {
    const targets = [...new Set(columns.map(({ target }) => target))];
    const entities = await this.#parts.tpe.predict(targets, context);
    const classes = new Map<TargetTable, EntityClass>();
    for (const [target, entity] of zip(targets, entities))
      classes.set(target, await this.#classOf(entity, target, context));
    return columns.map((column) => this.#proposeFor(column, classes.get(column.target) ?? this.#parts.catalog.anyRow));
  }

  /**
   * The classes of a primary entity: by its words, the longest first, else by what its head is a kind of, else any row.
   */
  classesOf(entity: string): FoundClasses {
    const { catalog, inflector, nounKinds } = this.#parts;
    const words = wordsOf(entity);
    const phrase = words.slice(0, headIndex(words) + 1);
    while (phrase.length > 1 && FILING_WORDS.has(phrase.at(-1) ?? '')) phrase.pop();
    const baseOf = (noun: string): string => inflector.nounForm(noun)?.base ?? noun;
    for (let start = 0; start < phrase.length; start++) {
      const noun = phrase.slice(start).join(' ');
      const senses = [...catalog.classesOf(noun), ...(baseOf(noun) === noun ? [] : catalog.classesOf(baseOf(noun)))];
      if (senses.length > 0) return { senses, match: start === 0 ? 'whole' : 'head' };
    }
    const kind = nounKinds.nearestAbove(baseOf(phrase.at(-1) ?? ''), catalog.kinds);
    const above = kind === null ? [] : catalog.classesOf(kind).slice(0, 1);
    return above.length > 0 ? { senses: above, match: 'kind' } : { senses: [catalog.anyRow], match: 'whole' };
  }

  /**
   * By the table's name, and by its shape where that says more. A table of ids says which rows of others belong
   * together: an "advisor" of two ids is no person. Figures of a year are no enrollment, whatever the last words of the
   * name.
   */
  async #classOf(entity: string, target: TargetTable, context: StageContext): Promise<EntityClass> {
    const { catalog, nearness } = this.#parts;
    const classes = this.classesOf(entity);
    const [first] = classes.senses;
    const fitting = nearness === null ? first : await fittingClass(classes, target, entity, nearness, context);
    const found = fitting ?? catalog.anyRow;
    const isUnknown = found === catalog.anyRow;
    const isThing = found.ids.some((id) => catalog.kinds.has(id));
    const { table } = target;
    if ((isThing || isUnknown) && isLinkTable(table)) return catalog.shaped('link');
    if ((isUnknown || classes.match !== 'whole') && isStatistics(table)) return catalog.shaped('statistic');
    if (!isUnknown && isSnapshot(target, found.id)) return catalog.shaped('snapshot');
    if (isUnknown && isFieldRecord(table)) return catalog.shaped('observation');
    return isUnknown && isLookup(table) ? catalog.shaped('lookup value') : found;
  }

  #proposeFor(column: TargetColumn, entity: EntityClass): readonly Candidate[] {
    const { catalog, similarity, keep } = this.#parts;
    const { table } = column.target;
    const { name } = targetColumn(column);
    const taken = new Set(table.columns.map((one) => columnNameKey(one.name)));
    const companions = namesOf(name, table.name).flatMap((one) => catalog.companionsOf(one, entity));
    const proposed = new Map([...companions, ...entity.attributes].map((one) => [columnNameKey(one.name), one]));
    const untaken = [...proposed].filter(([key]) => !taken.has(key)).slice(0, keep);
    return untaken.map(([, attribute]) => {
      const candidate = candidateOf(attribute, entity, similarity(attribute.name, name));
      return companions.includes(attribute) ? { ...candidate, isNextTo: true } : candidate;
    });
  }
}

/**
 * The names under which the catalog may have a column: its own, without "name" at its end, without its table's name.
 */
function namesOf(name: string, tableName: string): readonly string[] {
  const words = wordsOf(name);
  const entity = new Set(wordsOf(columnNameKey(tableName)));
  const bare = words.length > 1 && NAMING_WORDS.has(words.at(-1) ?? '') ? words.slice(0, -1) : words;
  const own = words.filter((word) => !entity.has(columnNameKey(word)));
  return [...new Set([words, bare, own].map((one) => one.join(' ')))].filter((one) => one !== '');
}

function candidateOf({ name, type }: Attribute, { id }: EntityClass, similarity: number | null): Candidate {
  const origin = { table: `attributes/${id}`, title: id, column: name, type, score: null };
  return { name, source: 'attributes', origin, similarity, proposedFor: 'ADD' };
}
