const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** A moment as the visitor's clock shows it; in UTC for who points at it. */
export function Time({ at, withSeconds = false }: { at: string; withSeconds?: boolean }) {
  const utc = at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  return (
    <time dateTime={at} title={utc}>
      {(withSeconds ? exact : local).format(new Date(at))}
    </time>
  );
}
