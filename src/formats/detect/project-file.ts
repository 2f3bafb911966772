import { isAbsolute, relative, resolve } from 'node:path';
import type { FoundDataset } from './find-datasets.js';
import { packagePath } from '../../package-path.js';

const SCHEMA_FILE = 'docs/perturbql.config.schema.json';

/** A file's path as it is written in `folder`: relative where it leads down, absolute where it leads elsewhere. */
export function pathIn(folder: string, file: string): string {
  const path = relative(folder, resolve(file)).replaceAll('\\', '/');
  return path.startsWith('..') || isAbsolute(path) ? resolve(file) : `./${path}`;
}

/**
 * Where editors find the description of the file: a path below the folder, else none. A path of this machine would be of
 * no use to others who read the file.
 */
function schemaField(folder: string): { readonly $schema?: string } {
  const path = pathIn(folder, packagePath(SCHEMA_FILE));
  return isAbsolute(path) ? {} : { $schema: path };
}

/**
 * The text of a `perturbql.config.json` in `folder` for a data set: keys are the names of the commands' options. The
 * built-in parser is a victim only where it has enough to learn from.
 */
export function renderProjectFile(
  found: FoundDataset,
  folder: string,
  { hasBaseline }: { readonly hasBaseline: boolean },
): string {
  const { dataset, tables, examples, databases } = found.paths;
  const { gold, predictions, train } = found;
  const places = { tables, examples, databases, gold, predictions, train };
  const given = Object.entries(places).flatMap(([key, file]) => (file === null ? [] : [[key, pathIn(folder, file)]]));
  const content = {
    ...schemaField(folder),
    dataset,
    ...(Object.fromEntries(given) as Partial<typeof places>),
    ...(hasBaseline ? { victim: 'baseline' } : {}),
    recipe: 'cta',
    seed: 0,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
