import { documentLines } from '../../../report/document/document-lines.js';
import { countNoun, formatCount } from '../../../counts.js';
import { COMPOSED_INTERVALS } from '../../compositions/recomposition-section.js';
import { executionLines } from '../../../victims/executions/execution-figures.js';
import { ATTACK_CONDITIONS, type AttackReport } from '../attack-report.js';
import { attackDocument } from './attack-document.js';

/** The part of the document that a terminal shows. */
const SHOWN = ['accuracy', 'mutants', 'composed'];

/** Failures that left questions without SQL, by condition: "no SQL: original 12 no-sql; RPL 31 no-sql, 2 timeout". */
function renderFailures({ usage }: AttackReport): readonly string[] {
  const parts = ATTACK_CONDITIONS.flatMap((condition) => {
    const kinds = Object.entries(usage.failures[condition] ?? {});
    return kinds.length === 0
      ? []
      : [`${condition} ${kinds.map(([kind, count]) => `${formatCount(count)} ${kind}`).join(', ')}`];
  });
  return parts.length === 0 ? [] : [`answers without SQL, counted as wrong: ${parts.join('; ')}`];
}

/** An attack for a terminal: the answer, the scores in percent, and what to know of them. */
export function attackLines(report: AttackReport): readonly string[] {
  return [
    ...documentLines(attackDocument(report), SHOWN),
    ...(report.compositions === undefined ? [] : [`composed questions: ${COMPOSED_INTERVALS}`]),
    ...renderFailures(report),
    ...executionLines(report.usage),
    ...report.leftOut.map(({ reason, examples }) => `left out: ${countNoun(examples, 'example')}, ${reason}`),
  ];
}
