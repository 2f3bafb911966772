import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../errors.js';
import { checkRecord, loadText, parseJson } from '../formats/json-file.js';
import { renameKeys } from '../report/rename-keys.js';
import { type ConsistencyReport, consistencyReport } from './consistency-report.js';

const FIX = 'Name a folder that `perturbql consistency` wrote and finished, or the report.json in it.';

/** Keys as reports of version 0.1.0 have them. */
const OLD_KEYS: ReadonlyMap<string, string> = new Map([
  ['db_id', 'dbId'],
  ['error_type', 'errorType'],
  ['shrink_questions', 'shrinkQuestions'],
  ['shrunk_from', 'shrunkFrom'],
]);

const heading = z.object({ format: z.literal(consistencyReport.shape.format.value), version: z.number() });

/**
 * Reads the report of a consistency run: its folder, or the file itself.
 * @throws InputFormatError where there is none, it is another program's or another version's, or a field is wrong
 */
export function loadConsistencyReport(path: string): ConsistencyReport {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(path, 'report.json') : path;
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    throw new InputFormatError('there is no report', { where: { file }, fix: FIX });
  }
  const json = renameKeys(parseJson(loadText(file), file), OLD_KEYS);
  const known = heading.safeParse(json);
  if (!known.success) {
    throw new InputFormatError('this is not the report of a consistency run', { where: { file }, fix: FIX });
  }
  const [version, own] = [known.data.version, consistencyReport.shape.version.value];
  if (version !== own) {
    throw new InputFormatError(`this report has format version ${version}, this perturbql reads version ${own}`, {
      where: { file },
      fix: 'Run `perturbql consistency` again with this version: answers that it stored are not asked for again.',
    });
  }
  return checkRecord(consistencyReport, json, { file, id: 'report' }, FIX);
}
