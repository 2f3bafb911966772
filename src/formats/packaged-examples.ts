import { fileURLToPath } from 'node:url';
import { type DatasetPaths, PATH_DEFAULTS } from './dataset.js';

const inPackage = (path: string): string => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));

/** Folder of the examples that come with perturbql. */
export const PACKAGED_FOLDER = inPackage('');

/** The data set that comes with perturbql: 30 questions to 3 databases, in Spider's format. */
export const PACKAGED_EXAMPLES: DatasetPaths = {
  ...PATH_DEFAULTS,
  tables: inPackage('tables.json'),
  examples: inPackage('dev.json'),
  databases: inPackage('database'),
};
