/** A share as whole percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
