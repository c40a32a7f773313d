/** Dollars by what they are paid for. */
type Bill = Readonly<Record<string, number>>;

export const totalOf = (lines: Bill): number => Object.values(lines).reduce((sum, usd) => sum + usd, 0);

/** Bills side by side, the last of which names every line; what another is without costs nothing there. */
const dollarLines = (bills: readonly Bill[]): string[] =>
  Object.keys(bills.at(-1)!).map((what) => {
    const cells = bills.map((lines) => `$${(lines[what] ?? 0).toFixed(2)}`.padStart(10));
    return [what.padEnd(26), ...cells].join(' ');
  });

export function print(bills: readonly Bill[]): void {
  for (const line of dollarLines(bills)) console.log(line);
  console.log();
}
