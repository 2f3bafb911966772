import { expect, it } from 'vitest';
import { consistencyReport } from '../../../src/measure/consistency/consistency-report.js';
import { featureChapters } from '../../../src/measure/consistency/report/failure-chapters.js';
import { syntheticConsistency } from './synthetic-consistency.js';

it('has a row for gold whose hardness is unknown, with the reason', () => {
  const made = syntheticConsistency({ rate: 0.1 });
  const [cell] = made.hardness;
  const report = consistencyReport.parse({ ...made, hardness: [...made.hardness, { ...cell, key: 'unknown' }] });
  const [chapter] = featureChapters(report);
  const table = chapter?.sections.find((section) => section.kind === 'table' && section.caption.endsWith('hardness'));
  expect(JSON.stringify(table)).toContain('"unknown"');
  expect(chapter?.note).toContain('Unknown: gold queries');
});
