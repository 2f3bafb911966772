import type { Database } from '../../schema/schema.js';
import type { SqlDialect } from '../../sql/dialect.js';
import type { LabeledSample } from './label-classifier.js';
import type { CellSamples } from './question-values.js';
import {
  contentStems,
  type LinkedQuestion,
  type Mention,
  mentionContext,
  questionTerms,
  type SchemaLinker,
} from './schema-linking.js';
import { columnIndex, type SchemaColumn } from './words.js';
import { COLUMN_ROLES, type Sketch } from './sketch.js';
import { readSketch } from './sketch-reader.js';
import type { WordPairs } from './word-association.js';
import { itemAt } from '../../present.js';

/** A question with its gold SQL, its schema and some of its cells. */
export interface BaselineExample {
  readonly id: string;
  readonly question: string;
  readonly query: string;
  readonly database: Database;
  readonly samples: CellSamples;
}

/** The facts about a slot from the example it comes from. */
export interface KnownSlot extends Pick<SchemaColumn, 'stems' | 'type' | 'isPrimary' | 'isForeign'> {
  readonly table: number;
  /** Numbers of its roles in `COLUMN_ROLES`. */
  readonly roles: readonly number[];
  /** Share of its name that the question has, from 0 to 1. */
  readonly share: number;
  /** Position of its mention in the question, or -1. */
  readonly first: number;
}

/** An example that a question can be answered after. */
export interface KnownExample {
  readonly id: string;
  readonly terms: readonly string[];
  readonly sketch: Sketch;
  readonly slots: readonly KnownSlot[];
  /** For each value of the sketch whether the question has it. */
  readonly saidValues: readonly boolean[];
  /** Samples from the roles of its mentioned columns. */
  readonly roleSamples: readonly LabeledSample[];
  /** Content words of the question, and those of the names of its query's columns. */
  readonly pairs: WordPairs;
}

/** The mention of a name that says most of it. */
export function bestMention(mentions: readonly Mention[] | undefined): Mention | undefined {
  return mentions?.[0];
}

function slotsOf(sketch: Sketch, linked: LinkedQuestion): KnownSlot[] {
  return sketch.columns.map(({ ref, roles }) => {
    const index = columnIndex(linked.schema, ref);
    const { stems, type, isPrimary, isForeign } = itemAt(linked.schema.columns, index);
    const mention = bestMention(linked.columns[index]);
    return {
      stems,
      type,
      isPrimary,
      isForeign,
      table: ref.table,
      roles: roles.map((role) => COLUMN_ROLES.indexOf(role)),
      share: mention?.share ?? 0,
      first: mention?.first ?? -1,
    };
  });
}

/** Each place that names columns wholly or by half, with the columns: [mention, positions of columns]. */
export function mentionedPlaces({
  columns,
}: LinkedQuestion): ReadonlyMap<string, { readonly mention: Mention; readonly columns: number[] }> {
  const places = new Map<string, { readonly mention: Mention; readonly columns: number[] }>();
  columns.forEach((mentions, column) => {
    for (const mention of mentions) {
      const key = `${mention.first}.${mention.last}`;
      const place = places.get(key);
      if (place === undefined) places.set(key, { mention, columns: [column] });
      else place.columns.push(column);
    }
  });
  return places;
}

function roleSamplesOf(sketch: Sketch, linked: LinkedQuestion): LabeledSample[] {
  const roles = new Map(sketch.columns.map((slot) => [columnIndex(linked.schema, slot.ref), slot.roles]));
  return [...mentionedPlaces(linked).values()].map(({ mention, columns }) => {
    const names = columns.flatMap((column) => roles.get(column) ?? []);
    const labels = [...new Set(names.map((role) => COLUMN_ROLES.indexOf(role)))];
    return { features: mentionContext(linked, mention), labels };
  });
}

function isSaid(text: string, { values }: LinkedQuestion): boolean {
  const wanted = text.toLowerCase();
  return values.some((value) => value.text.toLowerCase() === wanted);
}

/** Returns the parser's record of an example, or null if its query has no sketch. */
export function knownExample(example: BaselineExample, linker: SchemaLinker, dialect: SqlDialect): KnownExample | null {
  const sketch = readSketch(example.query, example.database, dialect);
  if (sketch === null) return null;
  const linked = linker.link(example.question);
  const slots = slotsOf(sketch, linked);
  return {
    id: example.id,
    terms: questionTerms(linked),
    sketch,
    slots,
    saidValues: sketch.values.map(({ text }) => isSaid(text, linked)),
    roleSamples: roleSamplesOf(sketch, linked),
    pairs: { words: contentStems(linked), names: slots.flatMap(({ stems }) => stems) },
  };
}
