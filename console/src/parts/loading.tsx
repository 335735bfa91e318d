/** A loading indicator that appears after a short delay. */
export function Loading() {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}
