const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

interface TimeProps {
  at: string;
  withSeconds?: boolean;
  /** Whether it stands in something that takes the focus itself, and shows the UTC time then. */
  isInside?: boolean;
}

/** A moment as the visitor's clock shows it; in UTC too for who points at it, goes to it by the keyboard, or has it read aloud. */
export function Time({ at, withSeconds = false, isInside = false }: TimeProps) {
  const utc = at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  return (
    <time dateTime={at} {...(!isInside && { tabIndex: 0 })}>
      {(withSeconds ? exact : local).format(new Date(at))}
      <span class="utc"> {utc}</span>
    </time>
  );
}
