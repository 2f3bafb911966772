import { sectionLines } from '../../report/document/document-lines.js';
import { countNoun } from '../../report/figures.js';
import { executionLines } from '../../victims/executions/execution-figures.js';
import { renderRecompositionTable } from '../../victims/recomposition/recomposition-lines.js';
import { renderMutantTable } from '../mutants/mutant-lines.js';
import { ATTACK_CONDITIONS, type AttackReport } from '../attack-report.js';
import { attackHeadline } from './attack-headline.js';
import { scoreTable } from './score-table.js';

/** Failures that left questions without SQL, by condition: "no SQL: original 12 no-sql; RPL 31 no-sql, 2 timeout". */
function renderFailures({ usage }: AttackReport): readonly string[] {
  const parts = ATTACK_CONDITIONS.flatMap((condition) => {
    const kinds = Object.entries(usage.failures[condition] ?? {});
    return kinds.length === 0 ? [] : [`${condition} ${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')}`];
  });
  return parts.length === 0 ? [] : [`answers without SQL, counted as wrong: ${parts.join('; ')}`];
}

/** An attack for a terminal: the answer, the scores in percent, and what to know of them. */
export function attackLines(report: AttackReport): readonly string[] {
  const { leftOut, warnings, compositions, mutants } = report;
  return [
    attackHeadline(report).replaceAll('\u00a0', ' '),
    ...sectionLines(scoreTable(report)),
    ...(compositions === undefined ? [] : renderRecompositionTable(compositions)),
    ...(mutants === undefined ? [] : renderMutantTable(mutants)),
    ...renderFailures(report),
    ...executionLines(report.usage),
    ...leftOut.map(({ reason, examples }) => `left out: ${countNoun(examples, 'example')}, ${reason}`),
    ...warnings.map((warning) => `note: ${warning}`),
  ];
}
