import { loadReport } from '../../../report/stored-report.js';
import { type AttackReport, attackReport } from '../attack-report.js';

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
