import { z } from 'zod';
import { SUITE_FAULTS } from '../suite/verify-job.js';

const fault = z.strictObject({
  dbId: z.string(),
  kind: z.enum(SUITE_FAULTS),
  /** A database by its name. */
  place: z.string(),
  sql: z.string().nullable(),
  detail: z.string(),
});

/** The report of `perturbql suite transfer`: `carry.json`, plain JSON without times. */
export const transferReport = z.strictObject({
  originals: z.int(),
  /** Perturbed schemas that the suite serves now. */
  variants: z.int(),
  /** Distinct gold queries on them. */
  golds: z.int(),
  /** Gold queries that the suite was not distilled for, or whose result changed. */
  unread: z.int(),
  /** Faults: variants whose databases can't be made, and gold queries that give anything else than their original. */
  faults: z.array(fault),
});
export type TransferReport = z.infer<typeof transferReport>;

/** The outcome for one variant. */
export type TransferEntry = Pick<TransferReport, 'golds' | 'unread' | 'faults'> & { readonly isServed: boolean };

/** Sums up what was transferred. */
export function reportTransfer(originals: number, entries: readonly TransferEntry[]): TransferReport {
  const sum = (key: 'golds' | 'unread'): number => entries.reduce((total, entry) => total + entry[key], 0);
  return {
    originals,
    variants: entries.filter(({ isServed }) => isServed).length,
    golds: sum('golds'),
    unread: sum('unread'),
    faults: entries.flatMap(({ faults }) => faults),
  };
}
