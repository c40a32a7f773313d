interface BarProps {
  label: string;
  /** Default: the percentage. */
  value?: string;
  part: number;
  whole: number;
}

export function Bar({ label, value, part, whole }: BarProps) {
  const percent = whole > 0 ? Math.min(100, (part / whole) * 100) : 0;
  return (
    <div class="bar" role="img" aria-label={`${label}: ${value ?? `${Math.round(percent)}%`}`}>
      {part > 0 && <div style={{ width: `${percent}%` }} />}
    </div>
  );
}
