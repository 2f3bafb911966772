import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PerturbqlError } from '../../../src/errors.js';
import { pullModel, type PullOptions, type PullOutcome } from '../../../src/inference/hub/pull-model.js';
import type { RunHost } from '../../../src/run/run-host.js';
import { HubServer } from './hub-server.js';

/** A folder that goes with the test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-hub-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Bytes that do not compress and are the same each time. */
export function noise(length: number, seed = 'noise'): Buffer {
  const blocks: Buffer[] = [];
  for (let i = 0; i * 64 < length; i++) blocks.push(createHash('sha512').update(`${seed}${i}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}

type Request = Partial<PullOptions> & { readonly source: string };

export interface Bench {
  readonly server: HubServer;
  readonly cache: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly notes: string[];
  readonly pull: (options: Request, signal?: AbortSignal) => Promise<PullOutcome>;
  /** The error that a pull ends in. */
  readonly refusal: (options: Request) => Promise<PerturbqlError>;
}

/** A hub and an empty cache for one test; models are not run unless `prove: undefined` asks for it. */
export async function createBench(extra: NodeJS.ProcessEnv = {}): Promise<Bench> {
  const server = await HubServer.start();
  onTestFinished(() => server.stop());
  const cache = createFolder();
  const environment = { PERTURBQL_CACHE: cache, HF_HOME: createFolder(), HF_ENDPOINT: server.url, ...extra };
  const notes: string[] = [];
  const pull: Bench['pull'] = (options, signal = new AbortController().signal) => {
    const host: RunHost = { signal, progress: () => undefined, note: (line) => notes.push(line) };
    return pullModel({ environment, pauseMs: 1, prove: async (_, manifest) => manifest, ...options }, host);
  };
  const refusal: Bench['refusal'] = async (options) => {
    try {
      await pull(options);
    } catch (error) {
      if (error instanceof PerturbqlError) return error;
      throw error;
    }
    throw new Error('the pull was not refused');
  };
  return { server, cache, environment, notes, pull, refusal };
}
