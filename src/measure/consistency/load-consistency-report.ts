import { loadReport } from '../../report/stored-report.js';
import { type ConsistencyReport, consistencyReport } from './consistency-report.js';

/** Reads the report of a consistency run. @throws InputFormatError as `loadReport` */
export function loadConsistencyReport(path: string): ConsistencyReport {
  return loadReport(path, {
    command: 'consistency',
    what: 'a consistency run',
    format: consistencyReport.shape.format.value,
    version: consistencyReport.shape.version.value,
    schema: consistencyReport,
    oldKeys: {
      db_id: 'dbId',
      error_type: 'errorType',
      shrink_questions: 'shrinkQuestions',
      shrunk_from: 'shrunkFrom',
    },
    again: 'Run `perturbql consistency`',
  });
}
