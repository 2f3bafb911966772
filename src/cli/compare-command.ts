import { defineCommand } from './command.js';
import { COMPARISON_OPTIONS, writeComparison } from './write-comparison.js';

/** `perturbql compare`. */
export const command = defineCommand({
  options: COMPARISON_OPTIONS,
  argument: { name: '<first> <second>', description: 'two folders that attack wrote, or their report.json' },
  example: 'perturbql compare RUN-before RUN-after --out compared.html',
  async run(options, { args: [first = '', second = ''] }) {
    const [{ compareRuns }, { compareDocument, compareLines }, { loadAttackReport }, { VERSION }] = await Promise.all([
      import('../measure/compare/compare-runs.js'),
      import('../measure/compare/compare-document.js'),
      import('../measure/attack/attack-report.js'),
      import('../version.js'),
    ]);
    return writeComparison([first, second], options, {
      load: loadAttackReport,
      compare: compareRuns,
      document: (comparison, runs) => compareDocument(comparison, runs, VERSION),
      lines: compareLines,
    });
  },
});
