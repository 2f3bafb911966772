// node:url, node:module and node:os: where the package lies, and on what it runs.
export const PACKAGE = '/perturbql';

export function fileURLToPath(): string {
  return `${PACKAGE}/module.js`;
}

interface Resolver {
  resolve(name: string): string;
}

export function createRequire(): Resolver {
  return { resolve: (name) => `${PACKAGE}/node_modules/${name}` };
}

export function homedir(): string {
  return '/home';
}

export function availableParallelism(): number {
  return 1;
}
