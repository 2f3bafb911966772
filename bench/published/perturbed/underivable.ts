import { goldUse, type GoldUse } from '../../../src/variants/relations/schema/gold-use.js';
import type { Database } from '../../../src/schema/schema.js';
import { SQLITE } from '../../../src/sql/dialect.js';

/** A gold on its way to the new schema, with the schema that it is on. */
export interface GoldStage {
  readonly sql: string;
  readonly database: Database;
}

/** Why a gold can't be written for the new schema: `gone` where it needs what was removed. */
export interface RepairRefusal {
  readonly refused: 'gone' | 'inexpressible';
  readonly reason: string;
}

/** Stops a derivation that has no result. */
export class Underivable extends Error {
  readonly refused: RepairRefusal['refused'];

  constructor(reason: string, refused: RepairRefusal['refused'] = 'inexpressible') {
    super(reason);
    this.refused = refused;
  }
}

/** What a gold on a stage uses. @throws Underivable where it can't be read there */
export function useOn({ sql, database }: GoldStage): GoldUse {
  const use = goldUse(sql, database, SQLITE);
  if (use === null) throw new Underivable('it can’t be read on its schema');
  return use;
}
