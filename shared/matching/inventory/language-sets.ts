import type { DetectedLanguage } from '../language/detector.ts';
import type { IndexColumns } from './segment.ts';
import { Texts } from './text-table.ts';

/**
 * How a campaign's languages compare with a conversation's: the same, different, or unknown. A guess counts as unknown,
 * because short texts are often mistaken for another language.
 */
export const [SAME_LANGUAGE, OTHER_LANGUAGE] = [1, 2] as const;
const UNKNOWN_LANGUAGE = 0;

/**
 * The languages of campaigns. Campaigns share few distinct sets: each stores the number of its set, and a match
 * compares each set once.
 */
export class LanguageSets {
  readonly #sets: string[][] = [];
  readonly #numbers = new Map<string, number>();
  /** By slot, the number of the campaign's set of languages. */
  #setNumbers = new Uint16Array(64);

  constructor(columns?: IndexColumns) {
    if (!columns) return;
    const { languages, languageSets } = columns;
    this.#setNumbers = Uint16Array.from(languages.numbers);
    const whole = { numbers: Int32Array.of(languageSets.length), length: 1 };
    for (const set of new Texts(languageSets, whole).at(0).split('\n')) this.#number(set);
  }

  /** The sets in order of their number, one per line. */
  text(): string {
    return this.#sets.map((languages) => languages.join(' ')).join('\n');
  }

  /** @param languages separated by spaces, as in a matching profile */
  set(slot: number, languages: string): void {
    if (slot >= this.#setNumbers.length) this.#grow(2 * slot);
    this.#setNumbers[slot] = this.#number(languages);
  }

  get(slot: number): number {
    return this.#setNumbers[slot]!;
  }

  /** Compares each set with the language of a conversation. */
  compareWith({ code, isSure }: DetectedLanguage): Uint8Array {
    return Uint8Array.from(this.#sets, (languages) => {
      if (languages.length === 0 || !isSure) return UNKNOWN_LANGUAGE;
      return languages.includes(code) ? SAME_LANGUAGE : OTHER_LANGUAGE;
    });
  }

  /** The number of a set. If there are more sets than numbers, further sets count as unknown. */
  #number(languages: string): number {
    const existing = this.#numbers.get(languages);
    if (existing !== undefined) return existing;
    if (this.#sets.length === 0 && languages !== '') this.#number('');
    if (this.#sets.length > 0xffff) return 0;
    const number = this.#sets.push(languages.split(' ').filter(Boolean)) - 1;
    this.#numbers.set(languages, number);
    return number;
  }

  #grow(capacity: number): void {
    const larger = new Uint16Array(capacity);
    larger.set(this.#setNumbers);
    this.#setNumbers = larger;
  }
}
