import { z } from 'zod';

/** A token of SQL: type, text, and for a literal its span in the question's tokens. */
const tokenSchema = z.tuple([z.string(), z.string(), z.array(z.int())]);

const columnSchema = z.tuple([z.string(), z.array(z.string()), z.array(z.string()), z.string()]).rest(z.unknown());

/** A question of SQUALL's data; fields that perturbql does not know are carried along. */
export const squallRecordSchema = z.looseObject({
  nt: z.string().min(1),
  // It becomes part of file names.
  tbl: z.string().regex(/^\w[\w.-]*$/u),
  columns: z.array(columnSchema),
  nl: z.array(z.string()),
  sql: z.array(tokenSchema).optional(),
  columns_innl: z.array(z.boolean()).optional(),
  nl_incolumns: z.array(z.boolean()).optional(),
  nl_ralign: z.array(z.array(z.unknown())).optional(),
});

export type SquallRecord = z.infer<typeof squallRecordSchema>;
export type SquallToken = z.infer<typeof tokenSchema>;
/** Header, its tokens, suffixes of derived columns, SQUALL's word for the type, and in the release a sample cell. */
export type SquallColumn = SquallRecord['columns'][number];

/** The column that one is derived from and how: "c3_number" → 3, "_number"; null for `id` and `agg`. */
export function splitSquallName(name: string): { readonly number: number; readonly suffix: string } | null {
  const match = /^c(\d+)(_.*)?$/u.exec(name);
  return match === null ? null : { number: Number(match[1]), suffix: match[2] ?? '' };
}
