import type { Table } from '../schema/schema.js';

const SYSTEM_TABLE = /^sqlite_/i;

/** Whether SQLite keeps a table for itself: Spider lists world_1's sqlite_sequence. */
export function isSystemTable({ originalName }: Pick<Table, 'originalName'>): boolean {
  return SYSTEM_TABLE.test(originalName);
}
