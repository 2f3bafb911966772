import { formatCount } from '../../report/html.js';

/** Share of neighbors left, in [0, 1], with as many digits as it is small: "12 %", "0.43 %", "0 %". */
export function formatLeft(share: number): string {
  if (share === 0) return '0 %';
  const percent = share * 100;
  return `${percent >= 10 ? Math.round(percent) : percent.toFixed(percent >= 1 ? 1 : 2)} %`;
}

/** "12 kB", "3.4 MB", "120 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1000)} kB`;
  const megabytes = bytes / 1e6;
  return `${megabytes < 10 ? megabytes.toFixed(1) : formatCount(Math.round(megabytes))} MB`;
}
