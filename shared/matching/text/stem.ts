import { stemmer } from 'stemmer';

/**
 * Forms that the stemmer cannot derive (bought: buy), and words that are their own stem because it would conflate them with others (bus:
 * bus).
 */
const IRREGULAR = parsePairs(
  `bus:bus buses:bus gas:gas gases:gas news:news lens:lens lenses:lens yes:yes glasses:glasses texas:texas
  skies:sky ski:ski skis:ski skiing:ski organic:organic organ:organ university:university universal:universal
  general:general generic:generic animation:animation animal:animal policy:policy police:police arms:arms
  training:training trainer:trainer meeting:meeting banking:banking bank:bank banks:bank
  men:man women:woman children:child kids:kid feet:foot teeth:tooth mice:mouse people:people knives:knife wives:wife
  wolves:wolf leaves:leaf shelves:shelf scarves:scarf halves:half loaves:loaf geese:goose
  bought:buy flew:fly flown:fly flies:fly flying:fly drove:drive driven:drive ate:eat eaten:eat went:go gone:go
  going:go paid:pay sold:sell sent:send ran:run slept:sleep wore:wear worn:wear found:find made:make took:take
  taken:take gave:give given:give got:get gotten:get broke:broke said:say told:tell taught:teach thought:think
  felt:feel kept:keep met:meet spent:spend swam:swim sang:sing rode:ride ridden:ride wrote:write written:write
  read:read stole:steal stolen:steal chose:choose chosen:choose grew:grow grown:grow hid:hide
  travelling:travel traveling:travel travelled:travel traveled:travel traveller:travel traveler:travel
  cancelled:cancel canceled:cancel tyre:tire tyres:tire colour:color colours:color jewellery:jewelry
  grey:gray theatre:theater theatres:theater centre:center favourite:favorite pyjamas:pajama
  marine:marine direction:direction directions:direction
  movies:movie movie:movie doctorate:doctorate doctoral:doctorate rewarding:rewarding 
  conditionally:conditionally conditional:conditionally located:locate location:location locations:location memory:memory memories:memory
  decorator:decorator decorators:decorator cleaner:cleaner cleaners:cleaner
  season:season seasons:season seasoning:seasoning seasonings:seasoning communication:communication community:community past:past
  operation:operation operations:operation opera:opera operas:opera designer:designer designers:designer nation:nation
  nations:nation national:national nature:nature natural:natural station:station stations:station state:state states:state
  organize:organize organizes:organize organized:organize organizing:organize organizer:organize organizers:organize
  organise:organize organised:organize organising:organize organization:organize organizations:organize
  businesses:business mens:man womens:woman childrens:child
  jeans:jeans sharing:share flat:flat flats:flat party:party parties:party part:part uk:uk us:us usa:usa`,
);
/**
 * Words that the stemmer would conflate with others (tired with tire, apart with apartment). Each is its own stem, also
 * in the plural.
 */
const UNSTEMMED = new Set(
  `adventurer aligner alternator andes apart appliance attractive authority bedding bing blindness
  bonding bowling boxing business candidate capitalism celebrant celebrity classical clubbing coating collectible commander
  competent conditioning conservation container contraction convention conventional conversation converse conversion
  convertible cooling cooper customer customs dating defendant department detective digital directive dressing earring
  electricity elevation emergency engineer exclusive executive experience expression fasting federal federer ferris
  fertility fertilizer fitness flooring functional gambling generation generator goods harris hospitality housing identity
  illness importance important impression improv indicator installment instalment intern international invention leads
  liquidation mechanical medication messi mineral mobility moped musical nativity objective officer officiant oliver
  oriental pants parking paste personality physical positive presentation preservation progressive protestant puree quilting
  radiation rapids rational recess recession reference relativity removal remover responsive rewarding ringing sectional
  securities setting several severance shorts stocking suede suspenders terminal tights tired titanic touring tourister
  transformer transition trunks tutoring undertaker visitation wedding wellness wendy willing youthful`.split(/\s+/),
);
const ENGLISH = /^[a-z]{3,24}$/;

/** The stem that a word's inflections share. A word of another language or script is its own stem. Not cached. */
export function stem(word: string): string {
  const whole = [word, word.replace(/s$/, ''), word.replace(/ies$/, 'y')].find((form) => UNSTEMMED.has(form));
  if (whole) return whole;
  const base = IRREGULAR.get(word);
  return base === undefined ? stemEnglish(word) : base === word ? word : stem(base);
}

/** Rejects stems that are too short to tell words apart ("aws" and "awful" would both become "aw"). */
function stemEnglish(word: string): string {
  if (!ENGLISH.test(word)) return word;
  const found = stemmer(word);
  return found.length < 3 ? word : found;
}

function parsePairs(list: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const pair of list.split(/\s+/)) {
    const [form = '', base = ''] = pair.split(':');
    found.set(form, base);
  }
  return found;
}
