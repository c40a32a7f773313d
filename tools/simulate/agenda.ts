/** What is to happen later, by the millisecond, handed out in order of time. */
export function createAgenda() {
  const seconds = new Map<number, { at: number; happen(): void }[]>();
  return {
    add(at: number, happen: () => void): void {
      const second = Math.floor(at / 1000);
      const entries = seconds.get(second);
      if (entries) entries.push({ at, happen });
      else seconds.set(second, [{ at, happen }]);
    },
    /** Everything of the second that begins at a moment. What it adds to this very second waits for nobody and is lost. */
    run(second: number): void {
      const entries = seconds.get(second);
      if (!entries) return;
      seconds.delete(second);
      for (const { happen } of entries.sort((a, b) => a.at - b.at)) happen();
    },
  };
}
