import { join } from 'node:path';
import type { Engine, ShardJob } from './engine.js';

/** An Indexed Job (batch/v1): its completions are the shards. */
function manifestOf({ command, count, cwd }: ShardJob): object {
  const container = {
    name: 'perturbql',
    image: 'perturbql:latest',
    // The image has the program under its own path.
    command: ['perturbql', ...command.slice(2), '--shard', 'auto'],
    workingDir: cwd,
    env: [{ name: 'PERTURBQL_SHARDS', value: String(count) }],
    volumeMounts: [{ name: 'data', mountPath: cwd }],
  };
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'perturbql' } }];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'perturbql' },
    spec: {
      completionMode: 'Indexed',
      completions: count,
      parallelism: count,
      backoffLimitPerIndex: 2,
      maxFailedIndexes: count,
      template: { spec: { restartPolicy: 'Never', containers: [container], volumes } },
    },
  };
}

/** Kubernetes: a manifest to apply, with the image and the volume claim of the user's own put in. */
export const kubernetes: Engine = {
  install: 'kubectl',
  plan: (job) => {
    const file = join(job.folder, 'job.json');
    return {
      files: { [file]: `${JSON.stringify(manifestOf(job), null, 2)}\n` },
      start: null,
      lines: [
        `${file}: an Indexed Job; put in your image and the claim of the volume that holds ${job.cwd}, then`,
        `kubectl apply --filename ${file}`,
      ],
    };
  },
};
