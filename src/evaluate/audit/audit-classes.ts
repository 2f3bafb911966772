/** How bad a class is: the gold can't be scored against, its answer is in doubt, or it works here but not elsewhere. */
export const AUDIT_LEVELS = ['error', 'warning', 'note'] as const;
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** A class of faults that an audit looks for. */
export interface AuditClass {
  readonly title: string;
  /** The meaning of such a finding for a gold query, in one sentence. */
  readonly meaning: string;
  readonly level: AuditLevel;
  /**
   * The data it is found in: `schema` alone, databases with `rows`, `either` (with rows it is shown, without only
   * possible), or the `files` of the data set and of predictions.
   */
  readonly needs: 'schema' | 'rows' | 'either' | 'files';
}

/** Every class of finding by its id, in the order in which they are reported. */
export const AUDIT_CLASSES = {
  'does-not-run': {
    title: 'Does not run',
    meaning: 'SQLite refuses the query, or it fails while it runs.',
    level: 'error',
    needs: 'rows',
  },
  'does-not-bind': {
    title: 'Does not bind',
    meaning: 'The query is no SQL, or names a table or column that the schema does not have.',
    level: 'error',
    needs: 'schema',
  },
  'other-dialect': {
    title: 'Other dialect',
    meaning: 'The query is written for another database system.',
    level: 'error',
    needs: 'schema',
  },
  runaway: {
    title: 'Runaway',
    meaning: 'The query does not end in time, or its result is too large.',
    level: 'error',
    needs: 'rows',
  },
  constant: {
    title: 'Constant',
    meaning: 'The result or a condition is the same for all rows: a contradiction, or constants alone.',
    level: 'error',
    needs: 'schema',
  },
  empty: {
    title: 'Empty',
    meaning: 'The result has no rows, or nothing but NULL: every other query without a result scores as correct.',
    level: 'warning',
    needs: 'rows',
  },
  'limit-tie': {
    title: 'Tie at LIMIT',
    meaning: 'Rows tie at the place where LIMIT cuts, and which of them are taken decides the result.',
    level: 'warning',
    needs: 'either',
  },
  'unordered-limit': {
    title: 'LIMIT without ORDER BY',
    meaning: 'LIMIT takes some of the rows, and nothing says which.',
    level: 'error',
    needs: 'either',
  },
  'bare-column': {
    title: 'Bare column',
    meaning: 'A column is neither grouped by nor aggregated, and has several values in a group.',
    level: 'warning',
    needs: 'either',
  },
  'group-concat': {
    title: 'Order of group_concat',
    meaning: 'The values that group_concat joins come in the order in which rows are found.',
    level: 'warning',
    needs: 'either',
  },
  'many-row-subquery': {
    title: 'Subquery with several rows',
    meaning: 'A subquery stands for one value but gives several; SQLite takes the first.',
    level: 'error',
    needs: 'either',
  },
  'row-order': {
    title: 'Row order',
    meaning: 'The result depends on the order in which rows are stored, for another reason.',
    level: 'warning',
    needs: 'either',
  },
  'null-order': {
    title: 'NULL order',
    meaning: 'Rows whose sort key is NULL come first, and LIMIT takes them.',
    level: 'warning',
    needs: 'either',
  },
  'text-order': {
    title: 'Numbers sorted as text',
    meaning: 'A text column holds numbers, and is sorted, or its minimum or maximum taken, letter by letter.',
    level: 'error',
    needs: 'either',
  },
  affinity: {
    title: 'Text compared with numbers',
    meaning: 'Text is compared with a number, which SQLite decides by type or letter by letter.',
    level: 'error',
    needs: 'either',
  },
  'text-sum': {
    title: 'Text is summed',
    meaning: 'A sum or an average takes text that is no number, of which SQLite reads the leading digits, or 0.',
    level: 'error',
    needs: 'either',
  },
  'unjoined-table': {
    title: 'Table without a condition',
    meaning: 'No condition ties a table to the others, so that every row is paired with every row of it.',
    level: 'error',
    needs: 'either',
  },
  clock: {
    title: 'Reads the clock',
    meaning: 'The result depends on the day on which the query runs.',
    level: 'error',
    needs: 'either',
  },
  random: {
    title: 'Random',
    meaning: 'The query draws random numbers.',
    level: 'error',
    needs: 'either',
  },
  'double-quoted-string': {
    title: 'String in double quotes',
    meaning: 'Double quotes are for names: SQLite reads a string there only where no column has the name.',
    level: 'note',
    needs: 'schema',
  },
  'duplicate-question': {
    title: 'Question with several gold queries',
    meaning: 'The same question about the same schema has gold queries that differ.',
    level: 'error',
    needs: 'either',
  },
  'value-mismatch': {
    title: 'Values differ from the question',
    meaning: 'The query asks for another value than the question, or for one that is written differently in the data.',
    level: 'error',
    needs: 'either',
  },
  superlative: {
    title: 'Other superlative',
    meaning: 'The order, or the number of rows that LIMIT takes, may not be that of the question.',
    level: 'warning',
    needs: 'schema',
  },
  bound: {
    title: 'Other bound',
    meaning:
      'The query may take in a bound that the question leaves out, leave out one that it takes in, or turn it around.',
    level: 'warning',
    needs: 'schema',
  },
  'missing-count': {
    title: 'How many without a count',
    meaning: 'The question asks how many, and the query shows names or keys and counts nothing.',
    level: 'warning',
    needs: 'schema',
  },
  'and-or': {
    title: 'AND before OR',
    meaning: 'AND and OR stand side by side without parentheses, and the question may bind them otherwise.',
    level: 'warning',
    needs: 'schema',
  },
  'duplicate-id': {
    title: 'Duplicate id',
    meaning: 'Several examples have one id, so that what is joined by id is joined wrongly.',
    level: 'error',
    needs: 'files',
  },
  predictions: {
    title: 'Predictions do not fit',
    meaning: 'A file of predictions has another length or another order than the gold queries.',
    level: 'error',
    needs: 'files',
  },
} as const satisfies Readonly<Record<string, AuditClass>>;

export type AuditClassName = keyof typeof AUDIT_CLASSES;

export const AUDIT_CLASS_NAMES = Object.keys(AUDIT_CLASSES) as [AuditClassName, ...AuditClassName[]];
