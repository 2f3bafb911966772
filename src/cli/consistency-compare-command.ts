import { defineCommand } from './command.js';
import { COMPARISON_OPTIONS, writeComparison } from './write-comparison.js';

/** `perturbql consistency compare`. */
export const command = defineCommand({
  options: COMPARISON_OPTIONS,
  argument: { name: '<runs...>', description: 'folders that consistency wrote, or their report.json' },
  example: 'perturbql consistency compare RUN-first RUN-second RUN-third --out compared.html',
  async run(options, { args }) {
    const [
      { compareConsistency },
      { consistencyComparisonDocument, consistencyComparisonLines },
      { loadConsistencyReport },
      { VERSION },
    ] = await Promise.all([
      import('../measure/compare/compare-consistency.js'),
      import('../measure/compare/comparison-document.js'),
      import('../measure/consistency/consistency-report.js'),
      import('../version.js'),
    ]);
    return writeComparison(args, options, {
      load: loadConsistencyReport,
      compare: compareConsistency,
      document: (comparison) => consistencyComparisonDocument(comparison, VERSION),
      lines: consistencyComparisonLines,
    });
  },
});
