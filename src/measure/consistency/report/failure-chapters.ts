import { groupBy } from '../../../run/group-by.js';
import {
  type Chapter,
  nameSpan,
  type PlotSection,
  type Row,
  type TableSection,
} from '../../../report/document/document.js';
import { chapterOf, barPlot, headed, shareCell, shareLane, tableOf } from '../../../report/document/sections.js';
import { formatCount, formatNoun } from '../../../counts.js';
import { formatPercent } from '../../../report/figures.js';
import { HARDNESS_LEVELS, UNKNOWN_HARDNESS, UNKNOWN_HARDNESS_NOTE } from '../../../evaluate/exact/hardness.js';
import {
  CAPABILITIES,
  type ConsistencyCell,
  type ConsistencyReport,
  expectedIn,
  type FailureCluster,
} from '../consistency-report.js';
import { ERROR_TYPES, expectedBy } from '../clusters/query-change.js';
import { QUERY_FEATURES } from '../../../sql/query-features.js';

/** Clusters in the table; report.json has them all. */
const MOST_CLUSTERS = 200;

function clusterRow({ relation, changes, errorType, failures, seeds, databases, example }: FailureCluster): Row {
  return {
    cells: [
      { text: [{ ...nameSpan(changes.join(', ')), href: `#case=${encodeURIComponent(example.id)}` }], sub: errorType },
      [nameSpan(relation)],
      failures,
      { text: seeds, sub: formatNoun(databases, 'database') },
    ],
  };
}

function clusterTable(clusters: readonly FailureCluster[]): TableSection {
  const columns = [...headed('Differs in'), ...headed('Relation', 'Failures', 'Questions')];
  const rows = clusters.slice(0, MOST_CLUSTERS).map(clusterRow);
  return tableOf('What differs between the two answers', columns, rows, 'kind of failure');
}

/** Kinds of errors as the paper names them; null where no answer changed. */
function errorPlot(clusters: readonly FailureCluster[]): PlotSection | null {
  const changed = clusters.filter(({ changes }) => expectedBy(changes) === 'kept');
  const total = changed.reduce((sum, { failures }) => sum + failures, 0);
  if (total === 0) return null;
  const byType = groupBy(changed, ({ errorType }) => errorType);
  const lanes = ERROR_TYPES.map((type) => {
    const failures = (byType.get(type) ?? []).reduce((sum, cluster) => sum + cluster.failures, 0);
    const share = failures / total;
    return shareLane(type, share, null, 'rpl', `${formatCount(failures)}, ${formatPercent(share)}`);
  });
  const met = lanes.filter(({ value }) => value > 0);
  return barPlot('Kinds of errors', met, 'of the answers that changed, in the words of MT-TEQL’s Table 8');
}

/** Failures by what differs, the most frequent first. */
export function failureChapters({ clusters }: ConsistencyReport): readonly Chapter[] {
  if (clusters.length === 0) return [];
  const errors = errorPlot(clusters);
  const rest = clusters.length - MOST_CLUSTERS;
  const cut = rest > 0 ? ` ${formatCount(rest)} rarer ones are in report.json.` : '';
  return [
    chapterOf('failures', 'Kinds of failures', [...(errors === null ? [] : [errors]), clusterTable(clusters)], {
      link: 'Failures',
      note: `Failures of one relation whose two answers differ in the same parts of the query, together; a row leads to its smallest case. Which part counts as which error is our choice.${cut}`,
    }),
  ];
}

/** Figures of each key over all relations whose mutants keep their answer. */
function totalsOf(cells: readonly ConsistencyCell[], keys: readonly string[]) {
  const byKey = groupBy(cells, ({ key }) => key);
  return keys.flatMap((key) => {
    const own = byKey.get(key) ?? [];
    const judged = own.reduce((sum, cell) => sum + cell.judged, 0);
    if (judged === 0) return [];
    const inconsistent = own.reduce((sum, cell) => sum + cell.inconsistent, 0);
    const worst = own
      .filter((cell) => cell.inconsistent > 0)
      .sort((a, b) => (b.rate ?? 0) - (a.rate ?? 0) || b.inconsistent - a.inconsistent)[0];
    return [{ key, judged, inconsistent, worst }];
  });
}

function featureTable(head: string, totals: ReturnType<typeof totalsOf>): TableSection {
  const rows = totals.map(({ key, judged, inconsistent, worst }): Row => {
    const share = shareCell(inconsistent / judged, { tone: 'add', bar: inconsistent / judged });
    const worstCell = worst && {
      text: [nameSpan(worst.relation)],
      sub: `${formatCount(worst.inconsistent)} of ${formatCount(worst.judged)}`,
    };
    return { cells: [key, { text: inconsistent, sub: `of ${formatCount(judged)}` }, share, worstCell ?? null] };
  });
  const columns = [...headed(head, 'Changed', 'Share'), ...headed('Worst relation')];
  return tableOf(`Answers that changed, by ${head.toLowerCase()}`, columns, rows);
}

/** Answers that changed by what the gold query has; bars are of all mutants, 0 to 100%. */
export function featureChapters({ features, hardness, relations }: ConsistencyReport): readonly Chapter[] {
  const isKept = ({ relation }: ConsistencyCell): boolean => {
    const figures = relations[relation];
    return figures !== undefined && expectedIn({ all: figures }).every((expected) => expected === 'kept');
  };
  const tables = [
    featureTable('Part of the gold query', totalsOf(features.filter(isKept), QUERY_FEATURES)),
    featureTable('Hardness', totalsOf(hardness.filter(isKept), [...HARDNESS_LEVELS, UNKNOWN_HARDNESS])),
  ].filter(({ rows }) => rows.length > 0);
  if (tables.length === 0) return [];
  const unknown = hardness.some(({ key }) => key === UNKNOWN_HARDNESS) ? ` ${UNKNOWN_HARDNESS_NOTE}` : '';
  return [
    chapterOf('features', 'By what the gold query has', tables, {
      link: 'Queries',
      note: `Over all relations whose answer must stay; a query counts for each part that it has. report.json has the figures of each relation.${unknown}`,
      layout: 'side',
    }),
  ];
}

/** The mean rate of the relations that test a capability. */
export function capabilityChapters({ capabilities }: ConsistencyReport): readonly Chapter[] {
  const lanes = capabilities.flatMap(({ id, rate, relations }) => {
    if (rate === null) return [];
    const category = CAPABILITIES.find((one) => one.id === id)?.category ?? '';
    return [shareLane(`${id} (${category}: ${relations.join(', ')})`, rate, null, 'add')];
  });
  if (lanes.length === 0) return [];
  return [
    chapterOf('capabilities', 'By capability', [barPlot('Error rate by capability', lanes, 'mean over relations')], {
      link: 'Capabilities',
      note: 'The mean rate of the relations that ask for a capability; less is better. Which relation asks for which is our map; where a question is unanswerable or another, the share that is not refused or answered wrong. Whether that is good or bad is said by perturbql consistency compare, with three or more models.',
      layout: 'folded',
    }),
  ];
}
