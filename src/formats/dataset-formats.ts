/** What a data set is read from; each is an option of the command line. */
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

export const DATASET_FORMATS = Object.keys(DATASET_NEEDS) as [DatasetFormat, ...DatasetFormat[]];
