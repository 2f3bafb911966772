import type { CommandSettings } from './command-victim.js';
import type { EndpointVictimSettings } from './endpoint-victim.js';
import type { ExecutionLimits } from './executions/sql-executions.js';
import type { Victim } from './victim.js';

/** Kinds of victims that the command line can make. */
export const VICTIM_KINDS = ['baseline', 'command', 'endpoint', 'file'] as const;
export type VictimKind = (typeof VICTIM_KINDS)[number];

/** What a model outside gets with its questions. */
export interface QuestionExtras {
  /** Whether questions come with their sub-sentences. */
  readonly segments?: boolean;
  /** How far it may query their databases before it answers; absent: not at all. */
  readonly executions?: ExecutionLimits;
}

/** The model that is asked. */
export type VictimChoice =
  /** The built-in parser; `train`: examples to answer after in the data set's format, null = those asked, each left out. */
  | { readonly kind: 'baseline'; readonly train: string | null }
  | ({ readonly kind: 'command'; readonly settings: CommandSettings } & QuestionExtras)
  | ({ readonly kind: 'endpoint'; readonly settings: EndpointVictimSettings } & QuestionExtras)
  /** Predictions for the questions that `prepareAttack` writes. */
  | { readonly kind: 'file'; readonly predictions: string }
  /** A victim of the caller's own, who disposes of it. */
  | { readonly kind: 'own'; readonly victim: Victim };
