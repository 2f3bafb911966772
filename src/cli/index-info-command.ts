import type { RawOptions } from './options.js';
export async function run(_raw: RawOptions): Promise<void> {}
