import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { uploadDataset } from '../../src/publish/hub/upload-dataset.js';
import { SILENT_HOST } from '../../src/run/run-host.js';
import { WritableHub } from './writable-hub.js';

/** A Python that has huggingface_hub: `npm run check:python` names one. */
const PYTHON = process.env['PERTURBQL_PYTHON'] ?? '';

const CLIENT = `
import sys
from huggingface_hub import HfApi
api = HfApi(endpoint=sys.argv[1], token=sys.argv[2])
api.create_repo("me/theirs", repo_type="dataset", exist_ok=True)
api.upload_folder(repo_id="me/theirs", repo_type="dataset", folder_path=sys.argv[3])
`;

describe('huggingface_hub’s own client', () => {
  it.skipIf(PYTHON === '')(
    'writes what ours writes to the hub that ours is tested with',
    async () => {
      const hub = await WritableHub.start();
      const folder = mkdtempSync(join(tmpdir(), 'perturbql-client-'));
      onTestFinished(async () => {
        await hub.stop();
        rmSync(folder, { recursive: true });
      });
      mkdirSync(join(folder, 'data'));
      writeFileSync(join(folder, 'README.md'), '---\nlicense: mit\n---\n# Data\n');
      writeFileSync(join(folder, 'data/train.parquet'), Buffer.alloc(5000, 7));
      const env = { ...process.env, HF_HUB_DISABLE_XET: '1', HF_HUB_DISABLE_TELEMETRY: '1', HF_HOME: folder };
      for (const partBytes of [0, 2000]) {
        hub.partBytes = partBytes;
        hub.store.clear();
        await promisify(execFile)(PYTHON, ['-c', CLIENT, hub.url, hub.token, folder], { env });
        hub.store.clear();
        const options = { id: 'me/ours', private: false, endpoint: hub.url, environment: { HF_TOKEN: hub.token } };
        await uploadDataset(folder, ['README.md', 'data/train.parquet'], options, SILENT_HOST);
        const [theirs, ours] = ['me/theirs', 'me/ours'].map((id) => hub.repositories.get(id)?.files);
        expect(ours?.get('data/train.parquet')).toEqual(theirs?.get('data/train.parquet'));
        expect(ours?.get('README.md')).toEqual(theirs?.get('README.md'));
        hub.repositories.clear();
      }
    },
    120_000,
  );
});
