interface BarProps {
  label: string;
  part: number;
  whole: number;
}

export function Bar({ label, part, whole }: BarProps) {
  const percent = whole > 0 ? Math.min(100, (part / whole) * 100) : 0;
  const width = part > 0 ? `max(3px, ${percent}%)` : 0;
  return (
    <div class="bar" role="img" aria-label={`${label}: ${Math.round(percent)} %`}>
      <div style={{ width }} />
    </div>
  );
}
