import type { DatasetPaths } from '../../formats/dataset.js';
import type { ShardOption } from '../../run/shard.js';

/** The input and output of `auditDataset`. */
export interface AuditOptions extends Partial<DatasetPaths>, ShardOption {
  /** Files of predictions that are to go with the data set. */
  readonly predictions?: readonly string[] | undefined;
  /**
   * Folder that gets report.json and report.html, and from which an audit that was stopped goes on; null: none is
   * written.
   */
  readonly out?: string | null | undefined;
  /**
   * Folder that gets the data set in its own format with the gold queries that could be repaired; null: none is
   * written.
   */
  readonly repair?: string | null | undefined;
  /** Longest time of one query in milliseconds; default 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Processes that execute queries; default: the number of cores. */
  readonly jobs?: number | undefined;
}
