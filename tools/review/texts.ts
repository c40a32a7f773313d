import { readFileSync } from 'node:fs';
import type { Creative } from '../../shared/campaigns/creative.ts';
import { EMPTY_CREATIVE } from '../../shared/campaigns/creative.ts';

/** A creative in a language, and whether it addresses a model. */
export interface ReviewedCreative {
  language: string;
  isAttack: boolean;
  creative: Creative;
}

/** One line of a file of whole creatives. */
interface Line {
  language: string;
  attack: boolean;
  creative: Partial<Creative>;
}

const SOME_PAGE = 'https://www.shop.example/';

/**
 * The creatives of a file: JSON lines of whole ones (`.jsonl`), or single texts by language, `{ "en": { "attacks": […], "harmless": […] } }`,
 * each of which becomes a description.
 * @param landingUrl where those of single texts lead: their writer may name its address
 */
export function readCreatives(path: string, landingUrl = SOME_PAGE): ReviewedCreative[] {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.jsonl'))
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const { language, attack, creative }: Line = JSON.parse(line);
        return { language, isAttack: attack, creative: { ...EMPTY_CREATIVE, ...creative } };
      });
  const byLanguage: Record<string, { attacks: string[]; harmless: string[] }> = JSON.parse(text);
  return Object.entries(byLanguage).flatMap(([language, { attacks, harmless }]) => {
    const creativesOf = (texts: readonly string[], isAttack: boolean) =>
      texts.map((description) => ({ language, isAttack, creative: { ...EMPTY_CREATIVE, description, landingUrl } }));
    return [...creativesOf(attacks, true), ...creativesOf(harmless, false)];
  });
}
