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

/** What `perturbql suite carry` carried over: `carry.json`, plain JSON without times. */
export const carriedReport = z.strictObject({
  originals: z.int(),
  /** Perturbed schemas that the suite serves now. */
  variants: z.int(),
  /** Distinct gold queries on them. */
  golds: z.int(),
  /** Gold queries that the suite was not distilled for, or whose result changed. */
  unread: z.int(),
  /** What must not be: variants whose databases can't be made, and golds that give anything else than their original. */
  faults: z.array(fault),
});
export type CarriedReport = z.infer<typeof carriedReport>;

/** What became of one variant. */
export type CarriedEntry = Pick<CarriedReport, 'golds' | 'unread' | 'faults'> & { readonly isServed: boolean };

/** Sums up what was carried over. */
export function reportCarried(originals: number, entries: readonly CarriedEntry[]): CarriedReport {
  const sum = (key: 'golds' | 'unread'): number => entries.reduce((total, entry) => total + entry[key], 0);
  return {
    originals,
    variants: entries.filter(({ isServed }) => isServed).length,
    golds: sum('golds'),
    unread: sum('unread'),
    faults: entries.flatMap(({ faults }) => faults),
  };
}
