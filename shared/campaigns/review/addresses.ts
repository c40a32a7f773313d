import { getDomain } from '../../platform/values/urls.ts';

/** Top-level domains that make a bare name an address, without a scheme or path. Excludes file extensions. */
const TOP_LEVEL_DOMAINS = new Set(
  `com net org edu gov int io co ai app dev shop store info biz online site xyz me tv us uk de fr es it pt jp tr nl be ch at pl eu ca au in br mx cn kr ru
  ly gl gg to cc fm id ie il ir is ar bg by cl cz dk ee fi gr hk hr hu ke kz lt lu lv ma my ng no nu nz pe ph pk ro rs sa se sg si sk su th tw ua ve vn za
  ws top vip club live life world today space fun pro icu click link page web website tech cloud digital agency media news blog design group global company team
  tools academy solutions services software finance bet casino game games sale deals market email chat help host press trade promo asia mobi travel name рф`.split(
    /\s+/,
  ),
);

/** Top-level domains that are also words, and may start a sentence after a missing space: "shoes.In stock". */
const WORD_DOMAINS = new Set(
  `in it is at so me no be us to do my as am es de se si il id nu in shop store live top online site info pro app link page web click news blog design group
  global company team tools services software finance game games sale deals market email chat help host press trade name life world today space fun club
  travel media digital solutions`.split(/\s+/),
);

/** Product names that look like addresses. */
const PRODUCTS = new Set(['asp.net', 'ado.net', 'vb.net', 'ml.net', 'socket.io']);

/** Public advice sites that ads for food, alcohol, and gambling must name. */
const ADVICE_SITES = new Set(
  `mangerbouger.fr begambleaware.org gambleaware.org gamstop.co.uk drinkaware.co.uk ncpgambling.org joueurs-info-service.fr check-dein-spiel.de
  jugarbien.es`.split(/\s+/),
);

/** Extensions of files and program libraries: "Node.js/React" is not a host with a path. */
const FILE_EXTENSIONS = new Set(
  'js ts jsx tsx mjs css html htm php py pdf doc docx txt csv json xml jpg jpeg png gif svg zip exe md'.split(' '),
);

const WITH_SCHEME = /(?:\b[a-z][a-z0-9+.-]{1,10}:\/\/|\bwww\.)[^\s<>"')\]]+/giu;
/** A character of a host label. Excludes Chinese, Japanese, and Korean letters, because these languages write words next to a name without a space. */
const LABEL_CHARACTER = String.raw`(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー])[\p{L}\p{M}\p{N}_-])`;
/** A name that contains dots, with its port, path, or query. A name before an @ is not a host. */
const DOTTED = new RegExp(
  String.raw`(?<!${LABEL_CHARACTER}|${LABEL_CHARACTER}[.。])(${LABEL_CHARACTER}+(?:[.。]${LABEL_CHARACTER}+)+)(?![.。]?${LABEL_CHARACTER}|[.+]*@)((?::\d+)?(?:[/?#][^\s<>"')\]]+)?)`,
  'giu',
);

/** The word for the dot in an address, by language. */
const DOT = '(?:dot|punkt|punto|point|nokta)';
/** "evil(.)com", "evil [dot] com". */
const BRACKETED = new RegExp(
  String.raw`(?<=${LABEL_CHARACTER})\s{0,3}[([{]\s{0,3}(?:\.|${DOT})\s{0,3}[)\]}]\s{0,3}(?=${LABEL_CHARACTER})`,
  'giu',
);
/** "evil dot com", "evil dot co dot uk". Excludes top-level domains that are ordinary words: "cada punto es", "polka dot shop". */
const SPELLED_ADDRESS = new RegExp(
  String.raw`(?<!${LABEL_CHARACTER})(${LABEL_CHARACTER}{2,63})((?:\s{1,3}${DOT}\s{1,3}(?:com|net|org|io|co|uk|eu)){1,3})(?!${LABEL_CHARACTER})`,
  'giu',
);
const SPELLED_DOT = new RegExp(String.raw`\s+${DOT}\s+`, 'giu');
/** Words before "dot com" that are not part of an address: "the dot com boom". */
const NOT_NAMES = new Set(
  `an the this that these those every each any all some no my your our his her their its another other one first new old early former failed big
  of from in to and or for with by as like about before after during since pre post online der die das le la el il un une una`.split(
    /\s+/,
  ),
);
const BEFORE_ADDRESS =
  /(?:^|\s)(?:visit|see|at|on|(?:go|head|over) to|check out|besuche|auf|visitez|sur|visita|en|su)\s+$/iu;
/** What must follow "dot com" in an address. Before other words it may be an adjective: "dot com millionaires". */
const AFTER_ADDRESS = /^\s*(?:$|[^\s\p{L}\p{N}-]|(?:for|and|or|to|today|now|slash)(?![\p{L}\p{N}]))/iu;

/** Replaces spelled-out dots: "evil dot com" becomes "evil.com". */
const restoreDots = (text: string): string =>
  text
    .replaceAll(BRACKETED, '.')
    .replaceAll(SPELLED_ADDRESS, (match, name: string, endings: string, at: number, whole: string) => {
      const isTarget = BEFORE_ADDRESS.test(whole.slice(Math.max(0, at - 20), at));
      // "Learn dot net" names a product.
      const isEnd = !/net$/iu.test(endings) && AFTER_ADDRESS.test(whole.slice(at + match.length));
      return NOT_NAMES.has(name.toLowerCase()) || !(isTarget || isEnd)
        ? match
        : name + endings.replaceAll(SPELLED_DOT, '.');
    });

/** Punctuation after an address, which belongs to the sentence. */
const TRAILING_PUNCTUATION = /[.,;:!?…]+$/u;
const getHost = (address: string): string =>
  getDomain(
    (/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`).replace(TRAILING_PUNCTUATION, ''),
  );

/** Scheme and host. Does not match if a user name precedes the host. */
const START_OF_ADDRESS = /^(?:https?:\/\/)?[^/?#:@]+(?=$|[/?#]|:\d)/iu;

/** Removes the scheme and host from addresses of the landing page's host or its parent domains. Keeps the path, which people can read as text. */
export const withoutOwnHosts = (text: string, host: string): string =>
  text.replaceAll(WITH_SCHEME, (address) => {
    const start = START_OF_ADDRESS.exec(address)?.[0] ?? '';
    const linkedHost = getHost(start);
    return linkedHost !== '' && (linkedHost === host || host.endsWith(`.${linkedHost}`))
      ? address.slice(start.length)
      : address;
  });

/** Finds the first address that leads neither to the landing page's site nor to public advice. */
export function findForeignAddress(text: string, host: string): string | undefined {
  for (const [address] of text.matchAll(WITH_SCHEME)) {
    if (!isAllowedHost(getHost(address), host)) return address;
  }
  for (const [address, name = '', tail = ''] of restoreDots(text.replaceAll(WITH_SCHEME, ' ')).matchAll(DOTTED)) {
    const linkedHost = parseHost(name, tail);
    if (linkedHost !== undefined && !isAllowedHost(linkedHost, host)) return address;
  }
  return undefined;
}

const isAllowedHost = (linkedHost: string, host: string): boolean =>
  isSameSite(linkedHost, host) || ADVICE_SITES.has(linkedHost.replace(/^www\./u, ''));

/** Whether the hosts are equal or one is a subdomain of the other: a landing page may be on `go.example.com` while the text says `example.com`. */
function isSameSite(a: string, b: string): boolean {
  const [short = '', long = ''] = a.length < b.length ? [a, b] : [b, a];
  return short.includes('.') && (short === long || long.endsWith(`.${short}`));
}

/** A part of an IPv4 address: "1.000.000.000" is an amount. Without a port or path, four numbers may be a version; with "/24", a network. */
const NUMBER = /^(?:0|[1-9]\d{0,2})$/;
const NETWORK = /^\/\d{1,2}[.,;:!?]*$/;

/** Reads a dotted name as a host; undefined for a product, file, version, or the boundary of two sentences. */
function parseHost(name: string, tail: string): string | undefined {
  const labels = name.split(/[.。]/u);
  const hasTail = tail !== '';
  if (labels.length === 4 && labels.every((label) => NUMBER.test(label)))
    return hasTail && !NETWORK.test(tail) ? getDomain(`https://${labels.join('.')}`) || undefined : undefined;
  if (labels.length > 2 && labels.slice(0, -1).every((label) => label.length === 1)) return undefined; // "9 a.m.to 5 p.m."
  // "shop.com.Buy now": a sentence starts after the host.
  while (labels.length > 2 && !isTopLevel(labels.at(-1)!, hasTail) && /^\p{Lu}/u.test(labels.at(-1)!)) labels.pop();
  if (!isTopLevel(labels.at(-1)!, hasTail)) return undefined;
  const host = getDomain(`https://${labels.join('.')}`);
  return host === '' || PRODUCTS.has(host) ? undefined : host;
}

function isTopLevel(label: string, hasTail: boolean): boolean {
  const lower = label.toLowerCase();
  const isSentence = /^\p{Lu}\p{Ll}+$/u.test(label);
  if (TOP_LEVEL_DOMAINS.has(lower) || lower.startsWith('xn--')) return !(isSentence && WORD_DOMAINS.has(lower));
  // With a path, accept any top-level domain: only addresses look like that.
  return hasTail && !isSentence && /^[a-z]{2,12}$/u.test(lower) && !FILE_EXTENSIONS.has(lower);
}

/** A model may still understand an address that is escaped twice. */
const MAX_DECODINGS = 2;

/** Gets the words of a URL, separated by spaces, for rules that search for words. */
export function getUrlWords(url: string): string {
  let text = url.replace(/^https?:/iu, '');
  for (let i = 0; i < MAX_DECODINGS; i++) text = text.replaceAll(/(?:%[0-9a-f]{2})+/giu, decodeEscapes);
  return text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '') // a URL may contain escaped invisible characters
    .replaceAll(/[-_.+/=?&#\s]+/gu, ' ')
    .replaceAll(/ (?=\p{L}+:)/gu, '\n') // puts each speaker of a transcript at the start of a line
    .trim();
}

const decodeEscapes = (escapes: string): string => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString();
