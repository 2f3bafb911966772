/**
 * Distilled test suites: databases on which a gold query and every query near it give different results.
 * @module
 */
import type { transferSuite as TransferSuite } from '../testsuite/transfer/transfer-suite.js';
import type { buildSuite as BuildSuite } from '../testsuite/suite/build-suite.js';
import type { verifySuite as VerifySuite } from '../testsuite/suite/verify-suite.js';

export * from '../errors.js';
export { type RunHost, NOOP_HOST } from '../run/run-host.js';
export type { TransferOptions, TransferOutcome } from '../testsuite/transfer/transfer-suite.js';
export type { SuiteOutcome } from '../testsuite/suite/build-suite.js';
export { openSuite, type Suite } from '../testsuite/suite/open-suite.js';
export type { SuiteSchemaFile } from '../testsuite/suite/suite-manifest.js';
export type { SuiteBuildInput } from '../testsuite/suite/suite-options.js';
export { unpackSuite } from '../testsuite/suite/unpack-suite.js';
export type { SuiteVerification } from '../testsuite/suite/verify-suite.js';

export const buildSuite: typeof BuildSuite = async (...given) =>
  (await import('../testsuite/suite/build-suite.js')).buildSuite(...given);

export const transferSuite: typeof TransferSuite = async (...given) =>
  (await import('../testsuite/transfer/transfer-suite.js')).transferSuite(...given);

export const verifySuite: typeof VerifySuite = async (...given) =>
  (await import('../testsuite/suite/verify-suite.js')).verifySuite(...given);
