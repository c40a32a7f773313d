import { hashNgram, type NgramTable } from '../../shared/matching/index.ts';

/** The tables of eld: n-grams whose characters encode bytes, with a score by language number. */
interface EldTable {
  languages: Record<string, string>;
  ngrams: Record<string, Record<string, number>>;
}

/** Languages that their script identifies, or that few advertisers use. */
const EXCLUDED_LANGUAGES = new Set('am bn el gu he hy ja ka kn ko ku lo ml or pa ta te th yo zh'.split(' '));
const SPACE = 0x20;

/** Reads the n-grams of the language detector eld from internal files of its package. */
export async function readNgramTable(): Promise<NgramTable> {
  const folder = new URL('../', import.meta.resolve('eld/extrasmall'));
  const { ngramsData }: { ngramsData: EldTable } = await import(new URL('ngrams/extrasmall.js', folder).href);
  const { dictionary }: { dictionary: string[] } = await import(new URL('dictionary.js', folder).href);
  const bytes = new Map(dictionary.map((character, byte) => [character, byte]));
  const languages = Object.values(ngramsData.languages).filter((language) => !EXCLUDED_LANGUAGES.has(language));
  const numbers = new Map(
    Object.entries(ngramsData.languages).map(([number, language]) => [number, languages.indexOf(language)]),
  );
  const rows: { hash: number; scores: [language: number, score: number][] }[] = [];
  for (const [ngram, scoreOf] of Object.entries(ngramsData.ngrams)) {
    const scores = Object.entries(scoreOf).flatMap(([number, score]): [number, number][] => {
      const language = numbers.get(number) ?? -1;
      return language < 0 ? [] : [[language, score]];
    });
    if (scores.length === 0) continue;
    const hash = hashNgram(
      [...ngram].map((character) => (character === ' ' ? SPACE : (bytes.get(character) ?? SPACE))),
    );
    rows.push({ hash, scores });
  }
  rows.sort((one, other) => one.hash - other.hash);
  const entries = rows.flatMap(({ scores }) => scores);
  return {
    languages,
    ngrams: Int32Array.from(rows, ({ hash }) => hash),
    ngramCounts: Uint8Array.from(rows, ({ scores }) => scores.length),
    ngramLanguages: Uint8Array.from(entries, ([language]) => language),
    ngramScores: Uint8Array.from(entries, ([, score]) => score),
  };
}
