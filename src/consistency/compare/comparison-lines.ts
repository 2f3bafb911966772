import { alignColumns } from '../../report/text-table.js';
import type { Banded } from './bands.js';
import type { ConsistencyComparison } from './compare-consistency.js';

const percent = (share: number | null): string => (share === null ? '–' : (100 * share).toFixed(1));

function renderRow(name: string, { values, average, std, bands }: Banded): readonly string[] {
  const cells = values.map((value, i) => [percent(value), bands[i] ?? ''].join(' ').trimEnd());
  return [name, ...cells, percent(average), percent(std)];
}

/** A comparison for a terminal, in percent: rates by relation, then by capability, robustness, accuracy. */
export function renderConsistencyComparison(comparison: ConsistencyComparison): readonly string[] {
  const { runs, relations, capabilities, robustness, accuracy, warnings } = comparison;
  const head = ['', ...runs.map(({ name }) => name), 'average', 'std'];
  return [
    ...runs.map(({ name, victim, cases }) => `${name}: ${victim.description}, ${cases} mutants`),
    '',
    ...alignColumns([
      head,
      ...relations.map((row) => renderRow(row.relation, row)),
      head.map(() => ''),
      ...capabilities.map((row) => renderRow(`${row.id} (${row.relations.join(', ')})`, row)),
      renderRow('robustness, the mean of these', robustness),
      renderRow('accuracy on the seeds, exact', accuracy),
    ]),
    'Which relations a capability shows in is our own map.',
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
}
