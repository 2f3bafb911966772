import { describe, expect, it } from 'vitest';
import { ARM_NAMES, PAPER_TABLE_10 } from '../../bench/attackers/paper-figures.js';
import { runAttackersBench } from '../../bench/attackers/run-attackers-bench.js';
import { ConfigError } from '../../src/errors.js';
import { RECIPES } from '../../src/recipes/recipes.js';

const nothing = { print: () => undefined, tell: () => undefined, record: () => undefined };

describe('bench:attackers', () => {
  it('knows a recipe for every approach that is one', () => {
    const recipes = ARM_NAMES.filter((arm) => arm !== 'original' && arm !== 'mas');
    expect(recipes.filter((arm) => !(arm in RECIPES))).toEqual([]);
  });

  it('perturbs a column of each table that it shows', () => {
    for (const { columns, column } of Object.values(PAPER_TABLE_10).flat()) expect(columns).toContain(column);
  });

  it.each([
    [['--arms', 'cta,hotflip'], /no arm "hotflip"/],
    [['--arms', 'bert-attack'], /needs a masked language model/],
  ])('refuses %j before it makes anything', async (args, message) => {
    const refused = runAttackersBench(args, '.', nothing);
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(runAttackersBench(args, '.', nothing)).rejects.toThrow(message);
  });
});
