/** A key handler for text fields: Escape moves the focus on, so that the keys of the page work again. */
export function leaveOnEscape(onLeave: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onLeave();
  };
}
