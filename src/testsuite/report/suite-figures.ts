/** Share of neighbors left, in [0, 1], with as many digits as it is small: "12 %", "0.43 %", "0 %". */
export function formatLeft(share: number): string {
  if (share === 0) return '0 %';
  const percent = share * 100;
  return `${percent >= 10 ? Math.round(percent) : percent.toFixed(percent >= 1 ? 1 : 2)} %`;
}

/** "1 schema", "1,200 schemas", for a terminal. */
export function countNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`;
}

/** "12 kB", "3.4 MB", "120 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1000)} kB`;
  const megabytes = bytes / 1e6;
  return `${megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes).toLocaleString('en-US')} MB`;
}
