import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packagePath } from '../../package-path.js';
import type { OutputFolder } from '../output-set.js';
import type { ExportName } from './export-names.js';

/**
 * Writes what a training or evaluation framework needs besides the data, below a folder named after the export: its
 * configuration, and the function that has perturbql judge. They are the files of `integrations/loops/`, as they are.
 */
export function writeLoopFiles(name: ExportName, folder: OutputFolder): void {
  const source = packagePath(`integrations/loops/${name}`);
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).sort();
  for (const path of paths) {
    const file = join(source, path);
    if (statSync(file).isFile()) folder.write(join(name, path), readFileSync(file, 'utf8'));
  }
}
