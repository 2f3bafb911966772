import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatasetPaths } from '../../../src/formats/dataset.js';
import { buildSuite } from '../../../src/testsuite/suite/build-suite.js';
import { schemaPath } from '../../../src/testsuite/suite/suite-files.js';
import type { SuiteSchemaFile } from '../../../src/testsuite/suite/suite-manifest.js';
import { writeSmallData } from '../../e2e/example-data.js';

/** Two questions to each of the three databases of examples/. */
const POSITIONS = [0, 2, 10, 14, 20, 21];

/** A folder for suites of a small data set, and how to remove it. */
export class SuiteBench {
  readonly path = mkdtempSync(join(tmpdir(), 'perturbql-suite-'));
  readonly data: DatasetPaths;

  constructor() {
    const { tables, examples, databases } = writeSmallData(join(this.path, 'data'), POSITIONS);
    this.data = { dataset: 'spider', tables, examples, databases, connection: null };
  }

  at(...parts: string[]): string {
    return join(this.path, ...parts);
  }

  /** Builds a suite in seconds. */
  async build(name: string): Promise<string> {
    await buildSuite({
      ...this.data,
      out: this.at(name),
      jobs: 1,
      budget: { randomDatabases: 5, targetedDatabases: 1 },
    });
    return this.at(name);
  }

  copy(from: string, name: string): string {
    cpSync(from, this.at(name), { recursive: true });
    return this.at(name);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Rewrites what a suite says of a schema. */
export function changeSchema(suite: string, dbId: string, change: (schema: SuiteSchemaFile) => SuiteSchemaFile): void {
  const file = schemaPath(suite, dbId);
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as SuiteSchemaFile)));
}
