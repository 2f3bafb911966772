/** Marks what is flagged for a reviewer. */
export function Flag() {
  return (
    <svg class="flag" viewBox="0 0 12 12" role="img" aria-label="flagged">
      <path d="M2.5 11V1.5h7l-1.75 2.5 1.75 2.5h-7" />
    </svg>
  );
}
