/** The inputs of data sets; each is an option of the command line. */
export type DatasetInput = 'tables' | 'examples' | 'databases' | 'connection';

/**
 * Data set formats that can be read, with the inputs that each can't do without; apart from their readers, so that the
 * command line's table of options stays light.
 */
export const DATASET_NEEDS = {
  spider: ['tables', 'examples'],
  cosql: ['tables', 'examples'],
  sparc: ['tables', 'examples'],
  bird: ['tables', 'examples'],
  wikisql: ['tables', 'examples'],
  sqlite: ['databases', 'examples'],
  csv: ['tables', 'examples'],
  squall: ['tables', 'examples'],
  evoschema: ['examples'],
  'dr-spider': ['examples'],
  postgresql: ['connection', 'examples'],
  mysql: ['connection', 'examples'],
} as const satisfies Record<string, readonly DatasetInput[]>;

export type DatasetFormat = keyof typeof DATASET_NEEDS;

/** The optional inputs of a format. */
const ALSO_READS: Readonly<Partial<Record<DatasetFormat, readonly DatasetInput[]>>> = {
  spider: ['databases'],
  cosql: ['databases'],
  sparc: ['databases'],
  bird: ['databases'],
  wikisql: ['databases'],
  evoschema: ['databases'],
  'dr-spider': ['tables', 'databases'],
};

/** All inputs that a format may read. */
export const DATASET_INPUTS: readonly DatasetInput[] = ['tables', 'examples', 'databases', 'connection'];

/** Returns the inputs that a format has no use for. */
export function unreadInputs(format: DatasetFormat): readonly DatasetInput[] {
  const read: readonly DatasetInput[] = [...DATASET_NEEDS[format], ...(ALSO_READS[format] ?? [])];
  return DATASET_INPUTS.filter((input) => !read.includes(input));
}

/** Formats that have rows in `databases` alone. */
const ROWS_APART: ReadonlySet<DatasetFormat> = new Set(['spider', 'cosql', 'sparc', 'bird']);

/** Checks whether a data set of such inputs has no rows for sure; of some formats only reading them tells. */
export function isRowless(dataset: DatasetFormat, databases: string | null): boolean {
  return databases === null && ROWS_APART.has(dataset);
}

/** Formats whose every schema has rows, or whose gold SQLite can't execute: no database is made for them. */
const WITHOUT_SYNTHETIC: ReadonlySet<DatasetFormat> = new Set(['sqlite', 'csv', 'squall', 'postgresql', 'mysql']);

/** Checks whether schemas of a format may get synthetic databases. */
export function mayBeSynthetic(dataset: DatasetFormat): boolean {
  return !WITHOUT_SYNTHETIC.has(dataset);
}

export const DATASET_FORMATS = Object.keys(DATASET_NEEDS) as [DatasetFormat, ...DatasetFormat[]];
