import type { DetectedLanguage } from '../language/detector.ts';
import type { IndexColumns } from './segment.ts';
import { Texts } from './text-table.ts';

/**
 * How a campaign's languages fit a conversation's: it is among them, it is not, or it is not by a guess; or the one or the others cannot
 * be told. Short texts of English are often guessed to be another language, hardly ever the other way round.
 */
export const [SAME_LANGUAGE, OTHER_LANGUAGE, PROBABLY_OTHER_LANGUAGE] = [1, 2, 3] as const;
const UNKNOWN_LANGUAGE = 0;
const ENGLISH = 'en';

/** Which languages campaigns are for. Most share few sets, so a campaign has the number of its own, and a match compares each set once. */
export class LanguageSets {
  readonly #sets: string[][] = [];
  readonly #numbers = new Map<string, number>();
  /** By slot, the number of its set. */
  #setOf = new Uint16Array(64);

  constructor(columns?: IndexColumns) {
    if (!columns) return;
    const { languages, languageSets } = columns;
    this.#setOf = Uint16Array.from(languages.numbers);
    const whole = { numbers: Int32Array.of(languageSets.length), length: 1 };
    for (const set of new Texts(languageSets, whole).at(0).split('\n')) this.#number(set);
  }

  /** The sets by number, one a line. */
  text(): string {
    return this.#sets.map((languages) => languages.join(' ')).join('\n');
  }

  /** @param languages separated by spaces, as in a matching profile */
  set(slot: number, languages: string): void {
    if (slot >= this.#setOf.length) this.#grow(2 * slot);
    this.#setOf[slot] = this.#number(languages);
  }

  get(slot: number): number {
    return this.#setOf[slot]!;
  }

  /** By set, how it fits the language of a conversation. */
  compareWith({ code, isSure }: DetectedLanguage): Uint8Array {
    return Uint8Array.from(this.#sets, (languages) => {
      if (languages.length === 0 || code === '') return UNKNOWN_LANGUAGE;
      if (isSure) return languages.includes(code) ? SAME_LANGUAGE : OTHER_LANGUAGE;
      return languages.includes(code) || languages.includes(ENGLISH) ? UNKNOWN_LANGUAGE : PROBABLY_OTHER_LANGUAGE;
    });
  }

  /** The number of a set. Whoever makes up more sets than there are numbers gets those that come too late taken for untold. */
  #number(languages: string): number {
    const known = this.#numbers.get(languages);
    if (known !== undefined) return known;
    if (this.#sets.length === 0 && languages !== '') this.#number('');
    if (this.#sets.length > 0xffff) return 0;
    const number = this.#sets.push(languages.split(' ').filter(Boolean)) - 1;
    this.#numbers.set(languages, number);
    return number;
  }

  #grow(capacity: number): void {
    const larger = new Uint16Array(capacity);
    larger.set(this.#setOf);
    this.#setOf = larger;
  }
}
