/** The officially assigned codes of ISO 3166-1 alpha-2, and XK, the usual code for Kosovo, which has none in ISO. */
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
 * Common mistakes and the codes probably meant: codes of other lists (UK, the EU's EL), language codes that are not country codes, alpha-3
 * codes of the larger advertising markets, and names that ICU spells differently.
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

const MAX_NAME_LENGTH = 50;
/** A browser locale with a country: en-US, zh-Hant-TW. */
const LOCALE = /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})$/i;

/** Normalizes a name for comparison: only its letters, in lower case. */
const normalizeName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}]/gu, '')
    .toLowerCase();

/** The likely code for an invalid one: from the table of mistakes, a locale's country, or the country's English name. */
export function likelyCountry(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > MAX_NAME_LENGTH) return undefined;
  const letters = normalizeName(LOCALE.exec(text)?.[1] ?? text);
  const code = /^[a-z]{2}$/.test(letters) ? letters.toUpperCase() : '';
  return isCountry(code) ? code : (MISTAKES.get(letters) ?? codeNamed(letters));
}

let names: Intl.DisplayNames | undefined;

/** The English name of a country. Loads the names on first use. */
export function nameCountry(code: string): string {
  names ??= new Intl.DisplayNames('en', { type: 'region' });
  return isCountry(code) ? (names.of(code) ?? code) : code;
}

let codes: Map<string, string> | undefined;

/** Finds the code of a country by its English name. */
function codeNamed(letters: string): string | undefined {
  if (!codes) {
    codes = new Map([...CODES].map((code) => [normalizeName(nameCountry(code)), code]));
  }
  return codes.get(letters);
}

/** The 183 codes of ISO 639-1, each between spaces. A string, because bundlers can drop it if it is unused. */
const LANGUAGE_CODES =
  ' aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et ' +
  'eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk ' +
  'kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny ' +
  'oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk ' +
  'tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ';

/** All language codes. */
export const getLanguages = (): readonly string[] => LANGUAGE_CODES.trim().split(' ');

export const isLanguage = (code: string): boolean => LANGUAGE_CODES.includes(` ${code} `);

/** ISO 3166-1 alpha-3 codes, and XKX for Kosovo, each followed by its alpha-2 code unless that equals its first two letters. */
const ALPHA_3_CODES =
  'ABWAW AFG AGOAO AIA ALAAX ALB ANDAD AREAE ARG ARMAM ASM ATAAQ ATFTF ATGAG AUS AUTAT AZE BDIBI BEL BENBJ BESBQ ' +
  'BFA BGDBD BGR BHR BHSBS BIHBA BLM BLRBY BLZBZ BMU BOL BRA BRBBB BRNBN BTN BVT BWA CAFCF CAN CCK CHE CHLCL CHNCN ' +
  'CIV CMR CODCD COGCG COKCK COL COMKM CPVCV CRI CUB CUWCW CXR CYMKY CYP CZE DEU DJI DMA DNKDK DOM DZA ECU EGY ERI ' +
  'ESHEH ESP ESTEE ETH FIN FJI FLKFK FRA FROFO FSMFM GAB GBR GEO GGY GHA GIB GINGN GLPGP GMB GNBGW GNQGQ GRC GRDGD ' +
  'GRLGL GTM GUFGF GUM GUYGY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRLIE IRN IRQIQ ISL ISRIL ITA JAMJM JEY JOR ' +
  'JPN KAZKZ KEN KGZ KHM KIR KNA KORKR KWT LAO LBN LBRLR LBYLY LCA LIE LKA LSO LTU LUX LVA MACMO MAFMF MAR MCO MDA ' +
  'MDGMG MDVMV MEXMX MHL MKD MLI MLTMT MMR MNEME MNG MNPMP MOZMZ MRT MSR MTQMQ MUS MWI MYS MYTYT NAM NCL NER NFK ' +
  'NGA NIC NIUNU NLD NOR NPL NRU NZL OMN PAKPK PAN PCNPN PER PHL PLWPW PNGPG POLPL PRI PRKKP PRTPT PRYPY PSE PYFPF ' +
  'QAT REU ROU RUS RWA SAU SDN SENSN SGP SGSGS SHN SJM SLBSB SLE SLVSV SMR SOM SPMPM SRBRS SSD STP SURSR SVKSK ' +
  'SVNSI SWESE SWZSZ SXM SYCSC SYR TCA TCDTD TGO THA TJK TKL TKMTM TLS TON TTO TUNTN TURTR TUVTV TWN TZA UGA UKRUA ' +
  'UMI URYUY USA UZB VAT VCT VEN VGB VIR VNM VUT WLFWF WSM XKX YEM ZAF ZMB ZWE';

const TWO_OF_THREE = new Map(
  ALPHA_3_CODES.split(' ').map((code) => [code.slice(0, 3), code.slice(3) || code.slice(0, 2)]),
);

/** The alpha-2 code for an alpha-3 code, in either case; undefined if the code is unknown. */
export const countryOfAlpha3 = (code: string): string | undefined => TWO_OF_THREE.get(code.toUpperCase());
