// A worker with one network: the package's own, once it has been told which.
import { addFile } from './node/file-map.js';
import { startWith, type WorkerStart } from './node/worker-threads.js';

self.addEventListener(
  'message',
  ({ data }: MessageEvent<WorkerStart>) => {
    for (const [path, bytes] of data.files) addFile(path, bytes);
    startWith(data);
    void import('../../src/inference/inference-worker.js');
  },
  { once: true },
);
