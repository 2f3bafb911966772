import type { Victim, VictimAnswer, VictimContext, VictimQuestion } from './victim.js';

/** How a victim that asks another one differs from it. */
interface Wrapping {
  /** What else its answers depend on: the end of its fingerprint. */
  readonly suffix: string;
  /** The question as the other victim is asked it; unless given, as it is. */
  readonly asked?: (question: VictimQuestion) => VictimQuestion | Promise<VictimQuestion>;
  /** Answers in place of the other victim's answer to what it is `asked`. */
  readonly answer?: (question: VictimQuestion, context: VictimContext) => Promise<VictimAnswer>;
  /** Frees what it owns besides the other victim. */
  readonly close?: () => Promise<void>;
}

/** A victim that asks another one, which it owns. */
export function wrapVictim(
  victim: Victim,
  { suffix, asked = (question) => question, answer, close }: Wrapping,
): Victim {
  return {
    id: victim.id,
    fingerprint: `${victim.fingerprint}+${suffix}`,
    concurrency: victim.concurrency,
    answer: answer ?? (async (question, context) => victim.answer(await asked(question), context)),
    tell: async (question) => (await victim.tell?.(await asked(question))) ?? null,
    async dispose() {
      try {
        await victim.dispose?.();
      } finally {
        await close?.();
      }
    },
  };
}
