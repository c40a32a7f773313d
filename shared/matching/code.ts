/** Signs that programs, formulas and markup are full of and speech hardly has. */
const SIGNS = /[{}=;\\`|]|\(\)/g;
/** Least number of them, and least share of the characters. */
const LEAST = 3;
const SHARE = 0.01;

/** Whether a text shows code, a formula or markup: "map", "package" and "table" name nothing that is sold there. */
export function showsCode(text: string): boolean {
  const signs = text.match(SIGNS)?.length ?? 0;
  return signs >= LEAST && signs >= SHARE * text.length;
}
