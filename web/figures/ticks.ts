/** Days between two labels. From a week on, all labels are the same weekday. */
const STEPS = [1, 2, 3, 5, 7, 14, 21, 28, 42, 56, 91, 182];

/** The places of the labeled days in a list of days: the last one, and others at equal steps before it. @param room how many labels fit */
export function pickTicks(days: number, room: number): number[] {
  const step = STEPS.find((size) => days <= size * Math.max(1, Math.floor(room))) ?? days;
  return Array.from({ length: Math.ceil(days / step) }, (_, back) => days - 1 - back * step).reverse();
}
