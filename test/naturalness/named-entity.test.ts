import { describe, expect, test } from 'vitest';
import { sharedEntity } from '../../src/naturalness/named-entity.js';

describe('sharedEntity', () => {
  test.each([
    ['Bridges', 'bridge', 1],
    ['Customer Orders', 'customer orders', 1],
    ['Orders', 'customer orders', 1],
    ['Bridge usage', 'bridge', 0.5],
    ['Summits of the mountain', 'mountain', 0.5],
    ['Customers', 'customer orders', 0],
    ['Roads', 'bridge', 0],
    ['Cars', 'car data', 1],
    ['Players', 'player attributes', 1],
    ['Data', 'data', 0],
    ['', 'bridge', 0],
  ])('of %j with table %j is %d', (title, table, share) => {
    expect(sharedEntity(title, table)).toBe(share);
  });
});
