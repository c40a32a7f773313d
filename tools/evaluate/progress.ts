const BAR = 30;
const EVERY_MS = { terminal: 100, elsewhere: 5000 };

/** Shows progress on stderr: a bar in a terminal, otherwise occasional lines. */
export function createProgress(total: number, stream: NodeJS.WriteStream = process.stderr) {
  const startedAt = performance.now();
  const everyMs = stream.isTTY ? EVERY_MS.terminal : EVERY_MS.elsewhere;
  let shownAt = startedAt;
  let done = 0;

  function show(now: number): void {
    shownAt = now;
    const rate = done / Math.max(0.001, (now - startedAt) / 1000);
    const figures = `${done}/${total} rows, ${Math.floor((100 * done) / total)} %, ${Math.round(rate)} per second`;
    if (!stream.isTTY) return void stream.write(`${figures}\n`);
    const full = Math.round((BAR * done) / total);
    stream.write(`\r[${'#'.repeat(full)}${'-'.repeat(BAR - full)}] ${figures}\x1b[K`);
  }

  return {
    step(): void {
      done++;
      const now = performance.now();
      if (now - shownAt >= everyMs) show(now);
    },
    /** Shows the final state, and ends the line before other output. */
    end(): void {
      if (!stream.isTTY) return;
      show(performance.now());
      stream.write('\n');
    },
  };
}
