import { dirname, join, resolve } from 'node:path';
import { loadReport, reportFile } from '../../report/stored-report.js';
import { type AttackReport, attackReport } from '../attack-report.js';

/** Checks whether a file is the report of the run that a path names, or its page. */
export function isReportOf(path: string, file: string): boolean {
  const report = resolve(reportFile(path));
  return [report, join(dirname(report), 'report.html')].includes(resolve(file));
}

/** Reads the report of an attack. @throws InputFormatError as `loadReport` */
export function loadAttackReport(path: string): AttackReport {
  return loadReport(path, {
    command: 'attack',
    what: 'an attack',
    format: attackReport.shape.format.value,
    version: attackReport.shape.version.value,
    schema: attackReport,
    oldKeys: {
      add_position: 'addPosition',
      db_id: 'dbId',
      linked_keys: 'linkedKeys',
      new_name: 'newName',
      original_name: 'originalName',
    },
    again: 'Run the attack',
  });
}
