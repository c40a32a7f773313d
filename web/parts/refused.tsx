import { useSecondsRefused } from '../health.ts';
import { useSession } from '../session.ts';

/** Remaining seconds. They change each second, which a screen reader must not announce. */
export const Seconds = ({ left }: { left: number }) => (
  <span role="timer" aria-live="off">
    {left} s
  </span>
);

/** The message for an action that was refused because of too many requests. */
export function Refused() {
  const left = useSecondsRefused(useSession().health);
  return (
    <>
      Too many requests. Try again{' '}
      {left > 0 ? (
        <>
          in <Seconds left={left} />.
        </>
      ) : (
        'now.'
      )}
    </>
  );
}
