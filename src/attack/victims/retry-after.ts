export { retryAfterMs } from '../../run/retry-after.js';
