import { z } from 'zod';
import { AUDIT_CLASS_NAMES } from '../evaluate/audit/audit-classes.js';
import { checkIdle } from '../options/given-options.js';
import { defineCommand } from './command.js';
import { idleInAudit } from './idle-options.js';
import { optionalText, repeated, text, words } from '../options/option-field.js';
import {
  DATASET_OPTIONS,
  JSON_OPTION,
  QUERY_JOBS_OPTION,
  reportFolder,
  SHARD_OPTION,
  TIMEOUT_OPTION,
} from './shared-options.js';

/** `perturbql audit`. */
export const command = defineCommand({
  options: z.object({
    ...DATASET_OPTIONS,
    databases: optionalText('path', 'databases, <db_id>/<db_id>.sqlite, that gold queries are executed on'),
    // Those of the configuration file are one file, of `evaluate`.
    predictions: repeated('file', 'predictions that should fit the data set: as many, and in its order', {
      flagOnly: true,
    }),
    out: reportFolder().exactOptional(),
    repair: text(
      'dir',
      'new folder that gets the data set in its own format, with gold queries repaired where that is safe',
    ).exactOptional(),
    failOn: words(
      AUDIT_CLASS_NAMES,
      'class',
      'exit code 3 where one of these classes is found, separated by commas',
      'classes',
    ).exactOptional(),
    ...TIMEOUT_OPTION,
    ...QUERY_JOBS_OPTION,
    ...JSON_OPTION,
    ...SHARD_OPTION,
  }),
  example: 'perturbql audit --tables tables.json --examples dev.json --databases database --out RUN-audit',
  onInterrupt: 'stops',
  async run({ out, repair, failOn = [], timeout, ...given }, { host, shard, flags }) {
    checkIdle(idleInAudit({ ...given, failOn }), flags, host);
    const [{ auditDataset }, { renderAudit }] = await Promise.all([
      import('../evaluate/audit/audit-dataset.js'),
      import('./audit-lines.js'),
    ]);
    const json = await auditDataset({ ...given, out, repair, shard, timeoutMs: timeout * 1000 }, host);
    const failedCheck = failOn.some((name) => json.classes[name].findings > 0);
    return { json, lines: renderAudit(json, out), failedCheck };
  },
});
