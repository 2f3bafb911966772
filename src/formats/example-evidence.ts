import type { DatasetExample } from './dataset.js';

/** The hint that a data set gives for a question, such as BIRD's evidence; empty if there is none. */
export function evidenceOf({ record }: Pick<DatasetExample, 'record'>): string {
  if (typeof record !== 'object' || record === null || !('evidence' in record)) return '';
  return typeof record.evidence === 'string' ? record.evidence : '';
}
