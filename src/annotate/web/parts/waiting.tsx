interface WaitingProps {
  readonly away: boolean;
  readonly error?: Error | null;
  /** The text shown while all is well. */
  readonly text?: string;
}

/** Renders a placeholder until a screen has the data it needs. */
export function Waiting({ away, error, text = 'Loading…' }: WaitingProps) {
  if (error != null && !away) {
    return (
      <div class="notice" role="alert">
        <p>{error.message}</p>
      </div>
    );
  }
  if (!away) return <p class="waiting">{text}</p>;
  return (
    <div class="notice" role="status">
      <p>The server is away. Is `perturbql annotate serve` still running? Asking again every few seconds.</p>
    </div>
  );
}
