import { renderStatement } from '../../src/nli/statement.js';
import { createRng, pick } from '../../src/seeded-rng.js';
import { COLUMN_TYPES } from '../../src/schema/schema.js';
import type { EntailmentPair } from '../../src/stage.js';

/** Words that synthetic names are drawn from; 48² two-word names and more of three. */
const WORDS = (
  'name date number type code status address city country year price total average amount order customer product student ' +
  'teacher course school team player game score album song artist movie director ticket flight airport hotel room ' +
  'employee department salary manager document project start end first last home phone'
).split(' ');

const ENTITIES = ['student', 'singer', 'flight', 'order', 'employee', 'course', ''] as const;

/** Names of one to four words, as columns have them. */
const LONGEST_NAME = 4;

/** Endless pairs of statements over synthetic names: the same ones for a seed, hardly two alike. */
export function* syntheticPairs(seed: number): Generator<EntailmentPair> {
  const rng = createRng(seed, 'soak');
  const name = (): string => Array.from({ length: 1 + rng.int(LONGEST_NAME) }, () => pick(WORDS, rng)).join(' ');
  for (;;) {
    const [entity, type] = [pick(ENTITIES, rng), pick(COLUMN_TYPES, rng)];
    yield { premise: renderStatement(entity, name(), type), hypothesis: renderStatement(entity, name(), type) };
  }
}
