import { readFileSync } from 'node:fs';

/** A text of an ad, in a language, and whether it addresses a model. */
export interface ReviewedText {
  language: string;
  text: string;
  isAttack: boolean;
}

/** A file of texts by language: `{ "en": { "attacks": […], "harmless": […] } }`. */
export function readTexts(path: string): ReviewedText[] {
  const byLanguage: Record<string, { attacks: string[]; harmless: string[] }> = JSON.parse(readFileSync(path, 'utf8'));
  return Object.entries(byLanguage).flatMap(([language, { attacks, harmless }]) => [
    ...attacks.map((text) => ({ language, text, isAttack: true })),
    ...harmless.map((text) => ({ language, text, isAttack: false })),
  ]);
}
