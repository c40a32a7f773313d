/**
 * Unicode blocks from Greek on. The tag is the language of the script, or the name of a script that several languages
 * share.
 */
const BLOCKS: readonly (readonly [first: number, last: number, tag: string])[] = [
  [0x370, 0x3ff, 'el'],
  [0x400, 0x52f, 'Cyrillic'],
  [0x530, 0x58f, 'hy'],
  [0x590, 0x5ff, 'he'],
  [0x600, 0x77f, 'Arabic'],
  [0x900, 0x97f, 'Devanagari'],
  [0x980, 0x9ff, 'bn'],
  [0xa00, 0xa7f, 'pa'],
  [0xa80, 0xaff, 'gu'],
  [0xb00, 0xb7f, 'or'],
  [0xb80, 0xbff, 'ta'],
  [0xc00, 0xc7f, 'te'],
  [0xc80, 0xcff, 'kn'],
  [0xd00, 0xd7f, 'ml'],
  [0xd80, 0xdff, 'si'],
  [0xe00, 0xe7f, 'th'],
  [0xe80, 0xeff, 'lo'],
  [0x1000, 0x109f, 'my'],
  [0x10a0, 0x10ff, 'ka'],
  [0x1100, 0x11ff, 'ko'],
  [0x1200, 0x139f, 'am'],
  [0x1780, 0x17ff, 'km'],
  [0x3040, 0x30ff, 'ja'],
  [0x3400, 0x9fff, 'Han'],
  [0xac00, 0xd7af, 'ko'],
];
/** Scripts whose languages differ only in their words. */
const SHARED_SCRIPTS = new Set(['Cyrillic', 'Arabic', 'Devanagari']);
/** One Han character says as much as this many letters. */
const LETTERS_PER_SIGN = 3;
const LETTER = /\p{L}/u;
const LATIN = /^[\0-\u024f]*$/;
/**
 * Characters that Japanese lacks, or uses only together with kana. Han text without these characters and without kana
 * may be either language.
 */
const CHINESE =
  /[的了吗嗎呢我你她们們这這哪吧么麼怎什请請给給没沒吃说时过问间电钱买卖书车东门见开语读让谁还进远运样厅馆饭飞两贵热订预务师医药]/;

/**
 * The language of a text's script. Returns '' if several languages share the script, and undefined if the text may be
 * Chinese or Japanese. A Latin name in a text of another script does not make the text Latin.
 */
export function detectLanguageByScript(text: string): string | undefined {
  if (LATIN.test(text)) return '';
  const counts = new Map<string, number>();
  let latin = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x370) {
      if (code > 0x40 && (code < 0x80 || LETTER.test(text[i]!))) latin++;
      continue;
    }
    const tag = BLOCKS.find(([first, last]) => code >= first && code <= last)?.[2];
    if (tag) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const [[tag, count] = ['', 0]] = [...counts].sort(([, one], [, other]) => other - one);
  if (LETTERS_PER_SIGN * count < latin || SHARED_SCRIPTS.has(tag)) return '';
  if (tag !== 'Han') return tag;
  if (counts.has('ja')) return 'ja';
  return CHINESE.test(text) ? 'zh' : undefined;
}
