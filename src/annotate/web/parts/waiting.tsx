/** What is shown until a screen has what it needs. */
export function Waiting({ away, error }: { readonly away: boolean; readonly error?: Error | null }) {
  if (error != null && !away) {
    return (
      <div class="notice" role="alert">
        <p>{error.message}</p>
      </div>
    );
  }
  if (!away) return <p class="waiting">Loading…</p>;
  return (
    <div class="notice" role="status">
      <p>The server is away. Is `perturbql annotate serve` still running? Asking again every few seconds.</p>
    </div>
  );
}
