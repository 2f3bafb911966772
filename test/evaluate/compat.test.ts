import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors.js';
import { type CompatName, type ExecutionChoices, executionRules } from '../../src/evaluate/compat.js';
import { executionModeName } from '../../src/evaluate/execution/execution-tasks.js';

const AS_CHOSEN: ExecutionChoices = { compat: [], mode: 'ordered', plugValues: false };

describe('executionRules', () => {
  it.each([
    [[], 'ordered'],
    [['spider'], 'ordered'],
    [['test-suite'], 'test-suite'],
    [['bird', 'spider'], 'bird'],
    [['test-suite', 'test-suite'], 'test-suite'],
  ] as const)('%s compares as %s', (compat: readonly CompatName[], mode) => {
    expect(executionRules({ ...AS_CHOSEN, compat }).mode).toBe(mode);
  });

  it('plugs values and drops DISTINCT for the test-suite evaluator, and its name says so', () => {
    const { plug, ...rules } = executionRules({ ...AS_CHOSEN, compat: ['test-suite'] });
    const name = executionModeName(rules.mode, { ...rules, plugLimit: plug ? 500 : 1 });
    expect(name).toBe('test-suite-plugged-500-no-distinct@2');
  });

  it('keeps what was chosen where no evaluator of results is named', () => {
    const choices = { compat: ['spider'], mode: 'bag', floatTolerance: 0.1, plugValues: true, dropDistinct: true };
    const rules = executionRules(choices as ExecutionChoices);
    expect(rules).toEqual({ mode: 'bag', tolerance: 0.1, plug: true, dropDistinct: true });
  });

  it.each([
    [{ mode: 'bag' }, '--mode bag'],
    [{ floatTolerance: 0.1 }, '--float-tolerance'],
    [{ plugValues: true }, '--plug-values'],
    [{ dropDistinct: true }, '--drop-distinct'],
  ] as const)('names %s as a conflict', (choice, name) => {
    const choices = { ...AS_CHOSEN, compat: ['test-suite'] as const, ...choice };
    expect(() => executionRules(choices)).toThrow(`option ${name} conflicts with --compat test-suite`);
  });

  it('refuses the default mode where it was given, and two evaluators of results', () => {
    expect(() => executionRules({ ...AS_CHOSEN, compat: ['bird'] }, true)).toThrow(/--mode ordered conflicts/);
    expect(() => executionRules({ ...AS_CHOSEN, compat: ['bird', 'test-suite'] })).toThrow(ConfigError);
  });
});
