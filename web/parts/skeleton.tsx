/** A placeholder for content that is loading. */
export const Skeleton = ({ lines = 3, of }: { lines?: number; of: string }) => (
  <div class="skeleton" role="status" aria-label={`Loading ${of}`}>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} />
    ))}
  </div>
);
