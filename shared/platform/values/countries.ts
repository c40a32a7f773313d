/** The officially assigned codes of ISO 3166-1 alpha-2, and XK: ISO has none for Kosovo, and everybody uses that one. */
export const COUNTRIES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
  'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
).split(' ');
const CODES = new Set(COUNTRIES);

export const isCountry = (code: string): boolean => CODES.has(code);

/**
 * What is written where a code belongs, and the code that is likely meant: codes of other lists (UK, the EU's EL), languages
 * that are no country's code, alpha-3 codes of the larger advertising markets, and names that ICU has another word for.
 */
const MISTAKES = new Map(
  (
    'UK:GB EN:GB EL:GR JA:JP KO:KR ZH:CN HI:IN CS:CZ DA:DK HE:IL FA:IR UR:PK VI:VN SP:ES SW:SE JAP:JP KOR:KR ' +
    'ARE:AE ARG:AR AUS:AU AUT:AT BEL:BE BGD:BD BGR:BG BRA:BR CAN:CA CHE:CH CHL:CL CHN:CN COL:CO CZE:CZ DEU:DE DNK:DK ' +
    'EGY:EG ESP:ES EST:EE FIN:FI FRA:FR GBR:GB GRC:GR HKG:HK HRV:HR HUN:HU IDN:ID IND:IN IRL:IE ISR:IL ITA:IT JPN:JP ' +
    'KEN:KE LTU:LT LUX:LU LVA:LV MAR:MA MEX:MX MYS:MY NGA:NG NLD:NL NOR:NO NZL:NZ PAK:PK PER:PE PHL:PH POL:PL PRT:PT ' +
    'ROU:RO RUS:RU SAU:SA SGP:SG SRB:RS SVK:SK SVN:SI SWE:SE THA:TH TUR:TR TWN:TW UKR:UA USA:US VNM:VN XKX:XK ZAF:ZA ' +
    'GER:DE ENG:GB SUI:CH NED:NL POR:PT DEN:DK UAE:AE ENGLAND:GB SCOTLAND:GB WALES:GB BRITAIN:GB GREATBRITAIN:GB AMERICA:US ' +
    'UNITEDSTATESOFAMERICA:US KOREA:KR HOLLAND:NL THENETHERLANDS:NL TURKEY:TR CZECHREPUBLIC:CZ CHINAMAINLAND:CN DEUTSCHLAND:DE ' +
    'ESPAÑA:ES BRASIL:BR ITALIA:IT'
  )
    .split(' ')
    .map((pair) => pair.split(':'))
    .map(([mistake = '', code = '']) => [mistake.toLowerCase(), code]),
);

const MOST_NAME = 50;
/** A locale, as browsers tell it, with its country: en-US, zh-Hant-TW. */
const LOCALE = /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})$/i;

/** The letters of a name, without regard to case, blanks and signs. */
const lettersOf = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}]/gu, '')
    .toLowerCase();

/** The code that is likely meant by what is none: by the table of mistakes, a locale's country, or the country's English name. */
export function likelyCountry(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > MOST_NAME) return undefined;
  const letters = lettersOf(LOCALE.exec(text)?.[1] ?? text);
  const code = /^[a-z]{2}$/.test(letters) ? letters.toUpperCase() : '';
  return isCountry(code) ? code : (MISTAKES.get(letters) ?? codeNamed(letters));
}

let codes: Map<string, string> | undefined;

/** The code of a country by its English name; the names are asked for when the first is looked for. */
function codeNamed(letters: string): string | undefined {
  if (!codes) {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    codes = new Map([...CODES].map((code) => [lettersOf(names.of(code) ?? ''), code]));
  }
  return codes.get(letters);
}
