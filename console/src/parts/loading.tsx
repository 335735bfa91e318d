/** Says that something is on its way, once it takes long enough to be noticed. */
export function Loading() {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}
