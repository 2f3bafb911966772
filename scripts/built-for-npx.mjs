// `npx perturbql` in a checkout links the checkout into npx's own folder, and npm then runs `prepare` again. Exits with 0
// where that is so and the build is there already: the first call is then as fast as the next.
import { existsSync } from 'node:fs';
import process from 'node:process';

const isBuilt = existsSync(new URL('../dist/cli/main.js', import.meta.url));
process.exitCode = process.env.npm_command === 'exec' && isBuilt ? 0 : 1;
