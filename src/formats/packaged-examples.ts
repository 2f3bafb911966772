import { type DatasetPaths, PATH_DEFAULTS } from './dataset.js';
import { packagePath } from '../package-path.js';

const inPackage = (path: string): string => packagePath(`examples/${path}`);

/** Folder of the examples that come with perturbql. */
export const PACKAGED_FOLDER = inPackage('');

/** The data set that comes with perturbql: 30 questions to 3 databases, in Spider's format. */
export const PACKAGED_EXAMPLES: DatasetPaths = {
  ...PATH_DEFAULTS,
  tables: inPackage('tables.json'),
  examples: inPackage('dev.json'),
  databases: inPackage('database'),
};
