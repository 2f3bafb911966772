import { METRIC_NAMES } from '../evaluate/metric-names.js';
import type { OptionSpec } from './options.js';

/** Options of `evaluate`, for the table of all options. */
export const EVALUATE_OPTIONS = {
  gold: {
    flags: '--gold <file>',
    description: 'gold queries: lines of SQL, a tab and the db_id, or JSON lines {id, db_id, sql}',
  },
  pred: {
    flags: '--pred <file>',
    description: 'predictions: a line of SQL for each gold query, or JSON lines {id, sql}',
  },
  goldTables: { flags: '--tables <file>', description: 'schemas of the databases, Spider’s tables.json' },
  goldDatabases: {
    flags: '--databases <dir>',
    description: 'databases that queries are executed on, <db_id>/<db_id>.sqlite',
  },
  metrics: {
    flags: '--metrics <names>',
    description: `what is measured, separated by commas: ${METRIC_NAMES.join(', ')} (default: exact, execution with --databases, suite with --suite)`,
  },
  compat: {
    flags: '--compat <script>',
    description: 'exact match as Spider’s published evaluator counts it, faults and all',
    choices: ['spider'],
  },
  floatTolerance: {
    flags: '--float-tolerance <x>',
    description: 'how far apart numbers may be, absolutely or relative to the greater (default: ten digits count)',
  },
  evaluateSuite: {
    flags: '--suite <dir>',
    description: 'distilled databases that gold and predictions are executed on, as suite build wrote them',
  },
  dropDistinct: {
    flags: '--drop-distinct',
    description: 'remove DISTINCT from gold and predictions before they are executed, as the published evaluator does',
  },
  allowBadGold: {
    flags: '--allow-bad-gold',
    description: 'go on where gold is not correct against itself: it counts as not correct',
  },
  links: {
    flags: '--links <file>',
    description: 'gold schema links, JSON lines {id, columns: [["table.column", token]], tables: [["table", token]]}',
  },
  predLinks: { flags: '--pred-links <file>', description: 'predicted schema links, in the same form' },
  verdicts: {
    flags: '--verdicts <file>',
    description: 'write what each metric says of each pair, and why, as JSON lines',
  },
  evaluateReport: {
    flags: '--report <file>',
    description: 'write the scores as an HTML page, with outcomes, components and the pairs that are wrong, and why',
  },
  explainPair: {
    flags: '--explain <id>',
    description: 'print why a pair is wrong on the suite: few rows, and both results',
  },
  compareWith: {
    flags: '--compare <file>',
    description: 'predictions of a second model for the same gold: paired tests of the difference',
  },
} as const satisfies Record<string, OptionSpec>;
