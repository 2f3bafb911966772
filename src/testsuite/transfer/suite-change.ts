import { z } from 'zod';
import { COLUMN_TYPES } from '../../schema/schema.js';

/** A column that databases of a variant have in addition; identifiers as the schema spells them. */
const transferredAddition = z.strictObject({
  table: z.string(),
  name: z.string(),
  /** The name in natural words, and the type: by them its values are made. */
  words: z.string(),
  type: z.enum(COLUMN_TYPES),
  /** The column that it is put before; null = it comes last. */
  before: z.string().nullable(),
  /** The column that it was added because of. */
  target: z.string(),
  /** Values of the retrieved column that the name comes from. */
  sourceValues: z.array(z.string()),
});
export type TransferredAddition = z.infer<typeof transferredAddition>;

/** The differences of a variant's databases from its original's: they are made from these when they are opened. */
export const suiteChange = z.strictObject({
  renames: z.array(z.strictObject({ table: z.string(), from: z.string(), to: z.string() })),
  additions: z.array(transferredAddition),
  /** Of the values of added columns. */
  seed: z.int(),
});
export type SuiteChange = z.infer<typeof suiteChange>;
