import { describe, expect, it } from 'vitest';
import { NativeModuleError } from '../../../../src/errors.js';
import type { DriverChoice } from '../../../../src/sql/execution/drivers/sqlite-driver.js';
import { loadSqliteDriver, SQLITE_DRIVERS } from '../../../../src/sql/execution/open-connection.js';
import { describeDriver } from './sqlite-driver-conformance.js';

/** Where a driver differs from better-sqlite3, by its package. */
const DEVIATIONS: Readonly<Record<string, readonly string[]>> = {
  // Up to Node 22.
  'node:sqlite': Number.parseInt(process.versions.node, 10) < 24 ? ['a text ends at NUL'] : [],
  '@photostructure/sqlite': ['a text ends at NUL', 'whole numbers are bound as integers'],
};

function whyNot(choice: DriverChoice): string | null {
  try {
    choice.load();
    return null;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}

describe.each(SQLITE_DRIVERS)('the driver $id', (choice) => {
  const cause = whyNot(choice);
  if (cause === null) describeDriver(() => choice.load(), DEVIATIONS[choice.id]);
  else it.skip(`is not here: ${cause}`, () => undefined);
});

describe('choosing a driver', () => {
  const broken: DriverChoice = {
    id: 'broken',
    load: () => {
      throw new Error('no binary\nfor this machine');
    },
  };

  it('takes the first that works', () => {
    const working = SQLITE_DRIVERS.filter((choice) => whyNot(choice) === null);
    expect(loadSqliteDriver([broken, ...working]).name).toBe(working[0]?.load().name);
  });

  it('says why none works, and what to do', () => {
    expect(() => loadSqliteDriver([broken])).toThrow(NativeModuleError);
    expect(() => loadSqliteDriver([broken])).toThrow('broken: no binary');
  });
});
