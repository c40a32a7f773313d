import { getDomain } from '../../platform/values/urls.ts';

/** Top-level domains by which a bare name is taken for an address, without a scheme or a path. What is a file's ending too is left out. */
const TOP_LEVEL = new Set(
  `com net org edu gov int io co ai app dev shop store info biz online site xyz me tv us uk de fr es it pt jp tr nl be ch at pl eu ca au in br mx cn kr ru
  ly gl gg to cc fm id ie il ir is ar bg by cl cz dk ee fi gr hk hr hu ke kz lt lu lv ma my ng no nu nz pe ph pk ro rs sa se sg si sk su th tw ua ve vn za
  ws top vip club live life world today space fun pro icu click link page web website tech cloud digital agency media news blog design group global company team
  tools academy solutions services software finance bet casino game games sale deals market email chat help host press trade promo asia mobi travel name рф`.split(
    /\s+/,
  ),
);

/** Those that begin a sentence, too: "shoes.In stock", where a space is missing. */
const WORDS = new Set(
  `in it is at so me no be us to do my as am es de se si il id nu in shop store live top online site info pro app link page web click news blog design group
  global company team tools services software finance game games sale deals market email chat help host press trade name life world today space fun club
  travel media digital solutions`.split(/\s+/),
);

/** Products that are called like addresses. */
const PRODUCTS = new Set(['asp.net', 'ado.net', 'vb.net', 'ml.net', 'socket.io']);

/** Public advice that advertisements for food, drink and bets have to name. */
const ADVICE = new Set(
  `mangerbouger.fr begambleaware.org gambleaware.org gamstop.co.uk drinkaware.co.uk ncpgambling.org joueurs-info-service.fr check-dein-spiel.de
  jugarbien.es`.split(/\s+/),
);

/** What ends a file's name or a program library's: "Node.js/React" has no path. */
const FILES = new Set(
  'js ts jsx tsx mjs css html htm php py pdf doc docx txt csv json xml jpg jpeg png gif svg zip exe md'.split(' '),
);

const WITH_SCHEME = /(?:\b[a-z][a-z0-9+.-]{1,10}:\/\/|\bwww\.)[^\s<>"')\]]+/giu;
/** Japanese and Chinese have no spaces, and Korean joins endings to names: their letters end a name. */
const SIGN = String.raw`(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー])[\p{L}\p{M}\p{N}_-])`;
/** A name with dots within, with the port, path or query behind it. What stands before an @ is no host. */
const DOTTED = new RegExp(
  String.raw`(?<!${SIGN}|${SIGN}[.。])(${SIGN}+(?:[.。]${SIGN}+)+)(?![.。]?${SIGN}|[.+]*@)((?::\d+)?(?:[/?#][^\s<>"')\]]+)?)`,
  'giu',
);

/** How the dot of an address is said. */
const DOT = '(?:dot|punkt|punto|point|nokta)';
/** "evil(.)com", "evil [dot] com". */
const BRACKETED = new RegExp(
  String.raw`(?<=${SIGN})\s{0,3}[([{]\s{0,3}(?:\.|${DOT})\s{0,3}[)\]}]\s{0,3}(?=${SIGN})`,
  'giu',
);
/** "evil dot com", "evil dot co dot uk". Endings that are words of some language are left out: "cada punto es", "polka dot shop". */
const SAID = new RegExp(
  String.raw`(?<!${SIGN})(${SIGN}{2,63})((?:\s{1,3}${DOT}\s{1,3}(?:com|net|org|io|co|uk|eu)){1,3})(?!${SIGN})`,
  'giu',
);
const SAID_DOT = new RegExp(String.raw`\s+${DOT}\s+`, 'giu');
/** What stands before "dot com" and is no name: "the dot com boom". */
const NO_NAMES = new Set(
  `an the this that these those every each any all some no my your our his her their its another other one first new old early former failed big
  of from in to and or for with by as like about before after during since pre post online der die das le la el il un une una`.split(
    /\s+/,
  ),
);
const LEADS_TO = /(?:^|\s)(?:visit|see|at|on|(?:go|head|over) to|check out|besuche|auf|visitez|sur|visita|en|su)\s+$/iu;
/** A name ends there; before other words it may be an adjective: "dot com millionaires". */
const ENDS_ADDRESS = /^\s*(?:$|[^\s\p{L}\p{N}-]|(?:for|and|or|to|today|now|slash)(?![\p{L}\p{N}]))/iu;

/** A text with dots where they are said. */
const withDots = (text: string): string =>
  text.replaceAll(BRACKETED, '.').replaceAll(SAID, (said, name: string, endings: string, at: number, whole: string) => {
    const isLedTo = LEADS_TO.test(whole.slice(Math.max(0, at - 20), at));
    // "Learn dot net" is about a product.
    const isEnd = !/net$/iu.test(endings) && ENDS_ADDRESS.test(whole.slice(at + said.length));
    return NO_NAMES.has(name.toLowerCase()) || !(isLedTo || isEnd) ? said : name + endings.replaceAll(SAID_DOT, '.');
  });

/** Marks that end what an address stands in, and do not belong to it. */
const MARKS_BEHIND = /[.,;:!?…]+$/u;
const hostOf = (address: string): string =>
  getDomain((/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`).replace(MARKS_BEHIND, ''));

/** Scheme and host; none where a name of a user stands before the host. */
const START_OF_ADDRESS = /^(?:https?:\/\/)?[^/?#:@]+(?=$|[/?#]|:\d)/iu;

/** A text without scheme and host of the addresses of the landing page's host, or of one above it; what stands behind them is text that can be read. */
export const withoutOwnHosts = (text: string, host: string): string =>
  text.replaceAll(WITH_SCHEME, (address) => {
    const start = START_OF_ADDRESS.exec(address)?.[0] ?? '';
    const there = hostOf(start);
    return there !== '' && (there === host || host.endsWith(`.${there}`)) ? address.slice(start.length) : address;
  });

/** The first address in a text that leads to another domain than the landing page's, and not to public advice. */
export function findForeignAddress(text: string, host: string): string | undefined {
  for (const [address] of text.matchAll(WITH_SCHEME)) {
    if (!mayLeadTo(hostOf(address), host)) return address;
  }
  for (const [address, name = '', tail = ''] of withDots(text.replaceAll(WITH_SCHEME, ' ')).matchAll(DOTTED)) {
    const there = hostIn(name, tail);
    if (there !== undefined && !mayLeadTo(there, host)) return address;
  }
  return undefined;
}

const mayLeadTo = (there: string, host: string): boolean =>
  isSameSite(there, host) || ADVICE.has(there.replace(/^www\./u, ''));

/** One is the other or lies below it: a campaign may lead to `go.` of a domain and name the domain itself. */
function isSameSite(one: string, other: string): boolean {
  const [short = '', long = ''] = one.length < other.length ? [one, other] : [other, one];
  return short.includes('.') && (short === long || long.endsWith(`.${short}`));
}

/** A part of an address of four numbers: "1.000.000.000" is an amount. Without a port or path it may be a version, and "/24" is a network's. */
const NUMBER = /^(?:0|[1-9]\d{0,2})$/;
const NETWORK = /^\/\d{1,2}[.,;:!?]*$/;

/** The host that a dotted name is; none where it is a product, a file, a version or two sentences. */
function hostIn(name: string, tail: string): string | undefined {
  const labels = name.split(/[.。]/u);
  const isTail = tail !== '';
  if (labels.length === 4 && labels.every((label) => NUMBER.test(label)))
    return isTail && !NETWORK.test(tail) ? getDomain(`https://${labels.join('.')}`) || undefined : undefined;
  if (labels.length > 2 && labels.slice(0, -1).every((label) => label.length === 1)) return undefined; // "9 a.m.to 5 p.m."
  // "shop.com.Buy now": what follows the host begins a sentence.
  while (labels.length > 2 && !isTopLevel(labels.at(-1)!, isTail) && /^\p{Lu}/u.test(labels.at(-1)!)) labels.pop();
  if (!isTopLevel(labels.at(-1)!, isTail)) return undefined;
  const host = getDomain(`https://${labels.join('.')}`);
  return host === '' || PRODUCTS.has(host) ? undefined : host;
}

function isTopLevel(label: string, isTail: boolean): boolean {
  const lower = label.toLowerCase();
  const isSentence = /^\p{Lu}\p{Ll}+$/u.test(label);
  if (TOP_LEVEL.has(lower) || lower.startsWith('xn--')) return !(isSentence && WORDS.has(lower));
  // With a path, an unusual one will do: nothing but an address is written so.
  return isTail && !isSentence && /^[a-z]{2,12}$/u.test(lower) && !FILES.has(lower);
}

/** Escaped twice, an address is still read by who wants to. */
const MOST_DECODINGS = 2;

/** The words that an address is written of, for rules that look for words: what parts them is a blank. */
export function getUrlWords(url: string): string {
  let text = url.replace(/^https?:/iu, '');
  for (let i = 0; i < MOST_DECODINGS; i++) text = text.replaceAll(/(?:%[0-9a-f]{2})+/giu, decoded);
  return text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '') // an address may hold what hides, escaped
    .replaceAll(/[-_.+/=?&#\s]+/gu, ' ')
    .replaceAll(/ (?=\p{L}+:)/gu, '\n') // who speaks in a transcript begins a line
    .trim();
}

const decoded = (escapes: string): string => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString();
