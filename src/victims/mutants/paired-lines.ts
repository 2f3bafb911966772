import { alignColumns } from '../../report/text-table.js';
import type { PairedFlips } from './paired-report.js';

/** Kinds and levels whose paired change is larger than chance, at 5 %. */
export function renderPairedLines(paired: readonly PairedFlips[]): readonly string[] {
  const told = paired.filter(({ p }) => p < 0.05);
  if (told.length === 0) return [];
  const head = ['question by question', '', 'questions', 'broken', 'mended', 'p', 'needed to see 1, 2, 5 points'];
  const rows = told.map(({ relation, level, touched, questions, broken, mended, p, needed }) => [
    level === null ? relation : `${relation}, ${level}`,
    touched ? 'touched' : 'not touched',
    ...[questions, broken, mended].map(String),
    p.toPrecision(2),
    needed.map((one) => one.questions).join(', '),
  ]);
  return alignColumns([head, ...rows]);
}
