import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One folder for all that tests put into the system's folder for temporary files: it goes with the last test. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-tests-'));
  process.env['TMPDIR'] = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
