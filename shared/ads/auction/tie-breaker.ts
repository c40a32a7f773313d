import { remember } from '../../platform/values/remember.ts';

/** Lets equals take turns: of those asked about, the one that won longest ago. Remembers only what it was asked about. */
export function createTieBreaker(most = 10_000): (ids: string[]) => string {
  const wins = new Map<string, number>(); // in order of the last win, oldest first
  let count = 0;
  return (ids) => {
    const winner = ids.reduce((a, b) => ((wins.get(b) ?? 0) < (wins.get(a) ?? 0) ? b : a));
    wins.delete(winner);
    remember(wins, winner, ++count, most);
    return winner;
  };
}
