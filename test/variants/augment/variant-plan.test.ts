import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/errors.js';
import { parseVariants, slotName, variantSlots } from '../../../src/variants/augment/variant-plan.js';

describe('parseVariants', () => {
  it('reads numbers of variants by kind, which are written kind by kind', () => {
    const slots = variantSlots(parseVariants(['mixed:1', 'rpl:2']));
    expect(slots.map(slotName)).toEqual(['RPL', 'RPL 2', 'mixed']);
  });

  it.each([[['rpl']], [['rpl:x']], [['rpl:21']], [['del:1']], [['rpl:1', 'rpl:2']], [['rpl:0', 'add:0']], [[]]])(
    'refuses %j',
    (parts) => {
      expect(() => parseVariants(parts)).toThrow(ConfigError);
    },
  );
});
