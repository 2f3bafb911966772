import { z } from 'zod';
import { COLUMN_TYPES } from '../../schema/schema.js';
import { ANNOTATION_KINDS, ANSWER_STATES, ROLES } from '../annotation.js';
import { InputFormatError } from '../../errors.js';
import type { RecordPlace } from '../../formats/json-file.js';

/**
 * The value of a JSON text that an export put into a cell or field of another format.
 * @throws InputFormatError naming the record when it is not JSON any more
 */
export function parseCarried(text: string, where: RecordPlace): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputFormatError('what was exported here is no JSON any more', {
      where,
      cause,
      fix: 'Put back what perturbql wrote there.',
    });
  }
}

const names = z.array(z.string());

/** A proposed name. */
export const listedSchema = z.strictObject({
  name: z.string(),
  source: z.string(),
  origin: z.strictObject({ table: z.string(), title: z.string(), column: z.string() }).nullable(),
  difficulty: z.number().min(0).max(1).exactOptional(),
});

const index = z.int().nonnegative();

/** A question to split, as in the HTTP API. */
const splitSchema = z.strictObject({
  example: z.string(),
  position: index,
  question: z.string(),
  query: z.string(),
  tokens: z.array(z.strictObject({ start: index, end: index })),
  clauses: names,
  proposal: names,
  natSql: z
    .strictObject({
      text: z.string(),
      parts: z.array(z.int()),
      groupBy: z.array(z.tuple([z.int(), z.int(), z.boolean()])),
    })
    .nullable(),
});

/** As they are: zod's copy of a record has no `__proto__`. */
const fieldsSchema = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** An item, as in the HTTP API. */
const itemSchema = z
  .strictObject({
    id: z.string().min(1),
    kind: z.enum(ANNOTATION_KINDS),
    dbId: z.string(),
    table: z.string(),
    tableOriginal: z.string(),
    column: z.string(),
    columnOriginal: z.string(),
    type: z.enum(COLUMN_TYPES),
    candidates: z.array(listedSchema),
    split: splitSchema.exactOptional(),
  })
  .refine(
    ({ kind, split }) => (kind === 'SPLIT') === (split !== undefined),
    'only the kind SPLIT has a question to split',
  );

export const contextSchema = z.strictObject({
  entity: z.string().nullable(),
  columns: z.array(
    z.strictObject({
      name: z.string(),
      originalName: z.string(),
      type: z.enum(COLUMN_TYPES),
      readingConfidence: z.number().min(0).max(1).exactOptional(),
    }),
  ),
  rows: z.array(names),
  questions: z.array(
    z.strictObject({
      id: z.string(),
      question: z.string(),
      query: z.string(),
      fields: fieldsSchema.optional(),
    }),
  ),
});

const score = z.number().nullable();

export const scoresSchema = z.array(
  z.strictObject({
    name: z.string(),
    bucket: z.string(),
    reason: z.string(),
    similarity: score,
    association: score,
    e1: score,
    e2: score,
    goesWith: z.enum(['column', 'row']).exactOptional(),
  }),
);

/** A revision counts from 1; 0 is what is not known to have been saved. */
export const revisionSchema = z.int().nonnegative();

/** A time, brought to the form that a project keeps, so that times can be compared as texts. */
export const timeSchema = z.iso.datetime({ offset: true }).transform((time) => new Date(time).toISOString());

const answerSchema = z.strictObject({
  itemId: z.string(),
  annotator: z.string().min(1),
  revision: revisionSchema,
  savedAt: timeSchema,
  state: z.enum(ANSWER_STATES),
  accepted: names,
  written: names,
  comment: z.string(),
  flagged: z.boolean(),
});

export const personSchema = z.strictObject({ name: z.string().min(1), role: z.enum(ROLES) });

const answers = z.array(answerSchema);

/** A whole record. */
export const recordSchema = z.strictObject({
  item: itemSchema,
  context: contextSchema,
  scores: scoresSchema,
  answers,
  adjudications: answers,
  conflicts: answers,
});

/** All of a record but the current answers, for tools that have a form of their own for those; with who is in it. */
export const carriedSchema = recordSchema.extend({ people: z.array(personSchema) });
