import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packagePath } from '../package-path.js';
import type { ColumnType } from '../schema/schema.js';

/** An attribute that a table may have as a column. */
export interface Attribute {
  /** Natural name, lower case. */
  readonly name: string;
  readonly type: ColumnType;
}

/** The class of a table's rows, with the attributes that such rows have. */
export interface EntityClass {
  /** The noun: "player". */
  readonly id: string;
  /** Own attributes, then those of the class above it. */
  readonly attributes: readonly Attribute[];
  /** Nouns of this class and of those above it. */
  readonly ids: readonly string[];
  /** All nouns of its line, its own among them: "bridge, road, street, line". */
  readonly nouns: readonly string[];
}

/** Attributes that go with a column of certain names. */
interface Companions {
  readonly columns: readonly string[];
  /** Ids of the classes that rows must have; empty = any. */
  readonly of: readonly string[];
  readonly attributes: readonly Attribute[];
}

const TYPE_MARKS: Readonly<Record<string, ColumnType>> = { '#': 'number', '@': 'time', '?': 'boolean' };
/** The class of rows that no other class fits. */
const ANY_ROW = '*';

function parseAttributes(text: string): readonly Attribute[] {
  return text
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const type = TYPE_MARKS[part.at(-1) ?? ''];
      return type === undefined ? { name: part, type: 'text' } : { name: part.slice(0, -1), type };
    });
}

function parseList(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

/** The lines of a file as what stands before and after the first colon. */
function readLines(text: string): readonly (readonly [string, string])[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1)] as const);
}

function distinct(attributes: readonly Attribute[]): readonly Attribute[] {
  return attributes.filter(({ name }, i) => attributes.findIndex((other) => other.name === name) === i);
}

/**
 * The project's own attributes of everyday entities, and what goes with which column: what a designer might add to a
 * table because of what its rows are, whatever tables an index holds (`data/attributes`; its README says how lines are
 * written).
 */
export class AttributeCatalog {
  readonly fingerprint: string;
  /** Nouns of which WordNet's hyponyms belong to the class, too. */
  readonly kinds: ReadonlySet<string>;
  readonly #classes: ReadonlyMap<string, readonly EntityClass[]>;
  readonly #companions: ReadonlyMap<string, readonly Companions[]>;

  constructor(
    entities: string = readFileSync(packagePath('data/attributes/entities.txt'), 'utf8'),
    companions: string = readFileSync(packagePath('data/attributes/companions.txt'), 'utf8'),
  ) {
    const lines = readLines(entities).map(([head, attributes]) => {
      const [nouns = '', parent] = head.replace(/^\+/, '').split('<');
      const isAddition = head.startsWith('+');
      return { isAddition, nouns: parseList(nouns), parent: parent?.trim(), attributes: parseAttributes(attributes) };
    });
    this.kinds = new Set(
      lines.flatMap(({ nouns }) => nouns.filter((noun) => noun.startsWith('^')).map((noun) => noun.slice(1))),
    );
    this.#classes = collectClasses(
      lines.map((line) => ({ ...line, nouns: line.nouns.map((noun) => noun.replace('^', '')) })),
    );
    this.#companions = collectCompanions(companions);
    this.fingerprint = `attributes-1:${createHash('sha256').update(entities).update(companions).digest('hex').slice(0, 16)}`;
  }

  /**
   * The classes that a noun names, one for each of its senses: a course is a class, or a track. Empty where none does.
   */
  classesOf(noun: string): readonly EntityClass[] {
    return this.#classes.get(noun) ?? [];
  }

  /** The class of rows of which nothing is known. */
  get anyRow(): EntityClass {
    return this.#classes.get(ANY_ROW)?.[0] ?? { id: ANY_ROW, attributes: [], ids: [ANY_ROW], nouns: [ANY_ROW] };
  }

  /** The class of rows of which only the columns tell what they are; that of any row where the catalog has none. */
  shaped(noun: 'link' | 'lookup value' | 'observation' | 'snapshot' | 'statistic'): EntityClass {
    return this.classesOf(noun)[0] ?? this.anyRow;
  }

  /** Returns attributes that go with a column of that name, in tables whose rows are of that class. */
  companionsOf(columnName: string, entity: EntityClass): readonly Attribute[] {
    const found = this.#companions.get(columnName) ?? [];
    const fitting = found.filter(({ of }) => of.length === 0 || of.some((id) => entity.ids.includes(id)));
    return distinct(fitting.flatMap(({ attributes }) => attributes));
  }
}

interface ClassLine {
  /** True if it adds to classes that stand. */
  readonly isAddition: boolean;
  readonly nouns: readonly string[];
  readonly parent: string | undefined;
  readonly attributes: readonly Attribute[];
}

/**
 * Classes by noun. An addition joins the class that its noun has below the line's parent; other lines are senses of
 * their own.
 */
function collectClasses(lines: readonly ClassLine[]): ReadonlyMap<string, readonly EntityClass[]> {
  const classes = new Map<string, readonly EntityClass[]>();
  for (const { isAddition, nouns, parent, attributes } of lines) {
    const above = parent === undefined ? undefined : classes.get(parent)?.[0];
    const [first] = nouns;
    for (const noun of nouns) {
      const senses = classes.get(noun) ?? [];
      const before = isAddition ? senses.find(({ ids }) => ids.includes(parent ?? noun)) : undefined;
      const inherited = before ?? above;
      const one = {
        id: noun,
        attributes: distinct([...attributes, ...(inherited?.attributes ?? [])]),
        ids: [...new Set([noun, first ?? noun, ...(inherited?.ids ?? [])])],
        nouns: before?.nouns ?? nouns,
      };
      classes.set(noun, before === undefined ? [...senses, one] : senses.with(senses.indexOf(before), one));
    }
  }
  return classes;
}

function collectCompanions(text: string): ReadonlyMap<string, readonly Companions[]> {
  const byColumn = new Map<string, Companions[]>();
  for (const [head, attributes] of readLines(text)) {
    const [, names = '', condition] = /^([^(]*)(?:\(([^)]*)\))?$/.exec(head) ?? [];
    const columns = parseList(names);
    const line = {
      columns,
      of: condition === undefined ? [] : parseList(condition),
      attributes: parseAttributes(attributes),
    };
    for (const column of columns) byColumn.set(column, [...(byColumn.get(column) ?? []), line]);
  }
  return byColumn;
}
