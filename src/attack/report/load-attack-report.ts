import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { checkRecord, loadText, parseJson } from '../../formats/json-file.js';
import { renameKeys } from '../../report/rename-keys.js';
import { type AttackReport, attackReport } from '../attack-report.js';

const REPORT = 'report.json';
const PAGE = 'report.html';
const FIX = 'Name a folder that `perturbql attack` wrote and finished, or the report.json in it.';

/** Keys as reports of version 0.1.0 have them. */
const OLD_KEYS: ReadonlyMap<string, string> = new Map([
  ['add_position', 'addPosition'],
  ['db_id', 'dbId'],
  ['linked_keys', 'linkedKeys'],
  ['new_name', 'newName'],
  ['original_name', 'originalName'],
]);

const heading = z.object({ format: z.literal(attackReport.shape.format.value), version: z.number() });

function fileOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, REPORT) : path;
}

/** Whether a file is the report of the run that a path names, or its page. */
export function isReportOf(path: string, file: string): boolean {
  const report = resolve(fileOf(path));
  return [report, join(dirname(report), PAGE)].includes(resolve(file));
}

/**
 * Reads the report of an attack: its run folder, or the file itself.
 * @throws InputFormatError where there is none, it is another program's or another version's, or a field is wrong
 */
export function loadAttackReport(path: string): AttackReport {
  const file = fileOf(path);
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    throw new InputFormatError('there is no report', { where: { file }, fix: FIX });
  }
  const json = renameKeys(parseJson(loadText(file), file), OLD_KEYS);
  const known = heading.safeParse(json);
  if (!known.success) throw new InputFormatError('this is not the report of an attack', { where: { file }, fix: FIX });
  const [version, own] = [known.data.version, attackReport.shape.version.value];
  if (version !== own) {
    throw new InputFormatError(`this report has format version ${version}, this perturbql reads version ${own}`, {
      where: { file },
      fix: 'Run the attack again with this version: answers that it stored are not asked for again.',
    });
  }
  return checkRecord(attackReport, json, { file, id: 'report' }, FIX);
}
