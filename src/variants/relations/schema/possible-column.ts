import type { ColumnType, Table } from '../../../schema/schema.js';
import type { StageContext } from '../../../stage.js';

/** A column that a table could have, too. */
export interface PossibleColumn {
  /** Natural words. */
  readonly name: string;
  readonly type: ColumnType;
}

/** A table that is asked about. */
export interface AskedTable {
  /** Id of the data set's own database. */
  readonly origin: string;
  readonly table: Table;
}

/** Says what the thing that a table's rows stand for can have (MT-TEQL §3.2, Column Insertion). */
export interface PossibleColumns {
  readonly fingerprint: string;
  /** The likeliest first. */
  of(asked: AskedTable, context: StageContext): Promise<readonly PossibleColumn[]>;
}
