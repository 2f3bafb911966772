import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 20;

/** Prints the test files that took longest, at the end of a run of many. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const timed = modules.map((module) => ({ name: module.relativeModuleId, ms: durationOf(module) }));
    timed.sort((a, b) => b.ms - a.ms);
    const lines = timed.slice(0, SHOWN).map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${name}\n`);
    process.stdout.write(`\nSlowest files\n${lines.join('')}`);
  }
}

function durationOf(module: TestModule): number {
  const { duration, collectDuration, prepareDuration, environmentSetupDuration } = module.diagnostic();
  return duration + collectDuration + prepareDuration + environmentSetupDuration;
}
