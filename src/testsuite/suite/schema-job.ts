import type { MessagePort } from 'node:worker_threads';
import type { DistillState, DistillTask } from '../distill/distillation.js';

/** One schema for a worker thread: distill it, and write what comes of it. */
export interface SchemaJob {
  readonly suite: string;
  readonly task: DistillTask;
  readonly resume: SchemaProgress | null;
  /** Where the worker tells how far it is, and hears that it shall stop. */
  readonly port: MessagePort;
}

/** How far a schema is: what a resumed run goes on from. */
export interface SchemaProgress {
  readonly state: DistillState;
  /** Time that a thread has worked on it. */
  readonly seconds: number;
}

/** The outcome of a schema's job. */
export type SchemaOutcome =
  /** Neighbors as in `DistillState`: without those shown to be equivalent. */
  | { readonly kind: 'done'; readonly neighbors: number; readonly left: number; readonly seconds: number }
  | { readonly kind: 'stopped'; readonly progress: SchemaProgress | null }
  /** An error that the user can repair: classes do not survive the way between threads. */
  | { readonly kind: 'refused'; readonly message: string; readonly where: object; readonly fix: string };
