import { existsSync } from 'node:fs';

/** Where a browser stands on machines that can test pages. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
export const HAS_CHROMIUM = CHROMIUM !== undefined;
