import { resolve } from 'node:path';
import { loadFinalSplits } from '../annotate/final-splits.js';
import { type ExportSummary, refuseExisting } from '../annotate/exchange/export-annotations.js';
import { writeSpiderSs } from '../compositional/align/spider-ss.js';
import { ConfigError } from '../errors.js';
import { writeDurably } from '../run/durable-file.js';
import { checkWrittenFile } from '../run/output-place.js';

/**
 * Writes the final answers of a project of the kind SPLIT as a file of Spider-SS, in the order of the data set; `note` is
 * told of what has no form there.
 * @throws AnnotationError when the file is no project, or there is something at `out`; InputFormatError when no question of
 *   it is decided
 */
export function exportSpiderSs(
  project: string,
  out: string,
  note: (line: string) => void,
): Pick<ExportSummary, 'items' | 'answered'> {
  if (resolve(out) === resolve(project))
    throw new ConfigError('--out is the project itself', { fix: 'Name another file.' });
  checkWrittenFile('out', out);
  refuseExisting('file', out);
  const { splits, undecided } = loadFinalSplits(project);
  const ordered = [...splits].sort((a, b) => a.position - b.position);
  const records = ordered.flatMap((split) => {
    if (split.natSql !== null) return [writeSpiderSs(split, split.natSql)];
    note(`left out: ${split.id}, NatSQL has no form for its gold`);
    return [];
  });
  writeDurably(out, `${JSON.stringify(records, null, 2)}\n`);
  return { items: splits.length + undecided, answered: records.length };
}
