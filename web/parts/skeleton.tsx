interface SkeletonProps {
  of: string;
  /** What it resembles: lines of text, rows of a table, a list of facts, or the fields of a form. */
  as?: 'lines' | 'rows' | 'facts' | 'fields';
  lines?: number;
}

/** A placeholder for content that is loading. */
export const Skeleton = ({ of, as = 'lines', lines = 3 }: SkeletonProps) => (
  <div class={`skeleton ${as}`} role="status" aria-label={`Loading ${of}`}>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} />
    ))}
  </div>
);

/** A value that may not be known yet: a placeholder of its height while it loads, a dash after an error. */
export const Value = ({ text, problem }: { text: string | null; problem: string | null }) =>
  text ?? (problem === null ? <span class="blank" /> : '–');
