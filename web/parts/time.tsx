const local = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const hour = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

const ago = new Intl.RelativeTimeFormat('en-US');
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a time was, such as "3 minutes ago". */
function formatAgo(at: string): string {
  const seconds = (Date.now() - Date.parse(at)) / 1000;
  const unit = UNITS.find(([, length]) => seconds >= length);
  return unit ? ago.format(-Math.floor(seconds / unit[1]), unit[0]) : 'just now';
}

interface TimeProps {
  at: string;
  withSeconds?: boolean;
  /** Whether the day is said elsewhere. */
  isTimeOnly?: boolean;
  /** Whether it reads "3 minutes ago". */
  isRelative?: boolean;
  /** Whether it is inside a focusable element, which then shows the UTC time on focus. */
  isInside?: boolean;
}

/** A time in the visitor's time zone. UTC appears on hover and on focus, and for screen readers. */
export function Time({ at, withSeconds = false, isTimeOnly = false, isRelative = false, isInside = false }: TimeProps) {
  const utc = at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  return (
    <time dateTime={at} {...(!isInside && { tabIndex: 0 })}>
      {isRelative ? formatAgo(at) : (isTimeOnly ? hour : withSeconds ? exact : local).format(new Date(at))}
      <span class="utc"> {utc}</span>
    </time>
  );
}

/** A day in UTC, such as the start of a campaign: budgets and reports have UTC days as well. */
export const Day = ({ at }: { at: string }) => <time dateTime={at}>{day.format(new Date(at))} (UTC)</time>;
