import type { Engine } from './engine.js';
import { kubernetes } from './kubernetes.js';
import { parallel } from './parallel.js';
import { ray } from './ray.js';
import { slurm } from './slurm.js';

/** Schedulers by name. */
export const ENGINES = { slurm, ray, kubernetes, parallel } as const satisfies Readonly<Record<string, Engine>>;

export const ENGINE_NAMES = Object.keys(ENGINES) as readonly (keyof typeof ENGINES)[];
