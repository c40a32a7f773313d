const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

interface TimeProps {
  at: string;
  withSeconds?: boolean;
  /** Whether it is inside a focusable element, which then shows the UTC time on focus. */
  isInside?: boolean;
}

/** A time in the visitor's time zone. UTC appears on hover and on focus, and for screen readers. */
export function Time({ at, withSeconds = false, isInside = false }: TimeProps) {
  const utc = at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  return (
    <time dateTime={at} {...(!isInside && { tabIndex: 0 })}>
      {(withSeconds ? exact : local).format(new Date(at))}
      <span class="utc"> {utc}</span>
    </time>
  );
}
