import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = 'perturbql-tests-';

/** One folder for all that tests put into the system's folder for temporary files: it goes with the last test. */
export default function setup(): () => void {
  // Each project of the configuration calls this; one folder is enough, and sockets in deeper ones have too long a path.
  if (tmpdir().includes(NAME)) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), NAME));
  process.env['TMPDIR'] = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
