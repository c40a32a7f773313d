import type { DetectedLanguage } from '../language/detector.ts';
import { isNonEnglish } from '../language/detector.ts';
import { type IntentPatterns, type IntentWordsTable, isUnspacedLanguage } from '../lexicon/intent-words.ts';
import { NEGATED_WISH } from '../lexicon/negation-words.ts';
import { fold } from '../text/fold.ts';

/** What a message asks for. */
export interface MessageIntent {
  /** 1 if the message contains a wish, a need, or a question that may require a product. */
  wishes: number;
  /** 1 if the wish is to get something: what to buy, which one to take, where to find one. */
  buys: number;
  /** 1 if no ad helps: an action on something the user has, a calculation, or the end of a wish. */
  chore: number;
  /** Whether the message is neither recognized as a wish nor as anything else. */
  isUnclear: boolean;
}

export const NO_INTENT: MessageIntent = { wishes: 0, buys: 0, chore: 0, isUnclear: false };

/** Characters read at each end of a message. People state a wish at the beginning or at the end. */
const MAX_END_LENGTH = 400;

/** A wish, a need, or a question about how to meet one. */
const WISH = new RegExp(
  String.raw`\b(${[
    'want|(i|we|you) need|needs? \\S+|wish|please|have no|instead|worth (it|the|a|buying|getting|having|paying)|play|trying to|interested in',
    "(is|are) there (a|an|any|some|another|\\w+s)|(for|to) (me|us)|can(not|'t| only) (find|get|sleep|eat|afford|decide)",
    'which (of|one|(\\S+ ){1,3}(should|would|can|could|do|is|are|offers?|sells?|serves?|makes?|has|have|fits?|suits?|goes|works?))',
    'what (\\S+ ){1,2}(offers?|sells?|serves?|provides?|rents?)|difference (between|in)|differences between|compare|comparison|vs|versus|steps (for|to)|guide to',
    '(phone |telephone )?number (for|to)|directions to|tourist attractions|sightseeing|charged|sets? (me|us) back',
    "(would|i'?d|we'?d) (like|love)|who (can|could|helps|fixes)",
    '(looking|searching|search) (for|to|into)|look for|searching|find (me|us|a|an|some|one|my|another)',
    '(book|order|reserve) (me |us )?(a|an|some)|(get|show|give) (me|us)|buy|purchase|rent|hire',
    'recommend|recommendations?|suggest|suggestions?|advice|tips?|ideas|recipes?|itinerary|(travel|trip) plan',
    'best|cheap|cheapest|cheaper|affordable|good|great|nice|fun|reliable|quality|popular|top (\\d+|\\w+)',
    'near|nearby|nearest|closest|deals?(?! with)|available|in stock|(on|for) sale|sells?|shops?|stores?|brands?|reviews?',
    'how much (.+ )?(costs?|charge|fees?)|how much (is|are|will|would|for)|how (do )?(do|can|should|would|could|might) (i|you|we|u|one|someone)|how to (choose|pick|find|buy|learn|play|cook|plan|book|save|fix|clean|improve|train|start)',
    '(prices?|costs?|fees?|tuition|rates?) (of|for|at|in|to|on)|(the|average|current|typical) (\\S+ ){0,2}(prices?|costs?|fees?|rates?)',
    'where (can|could|to|should)|where (do|would|might) (i|you|we|u|one)|what (\\S+ ){1,2}(should|goes|would|can (i|you|we)|do i)|(can|could|may|might) (you|i|we)',
    'what are some|things to do|benefits? of',
  ].join('|')})\b|^(find|locate|get|order|book|list|show|browse|craft|plan|arrange)\b`,
);
/** Questions that people ask in a shop or when they want a recommendation. */
const BUY =
  /\b(buy|purchase|rent|hire|best|cheap|cheapest|cheaper|affordable|recommend|recommendations?|suggest|suggestions?|worth (it|buying|the)|where (can|do) (i|we) (buy|get|find)|find (me|us|one|another))\b/;
/** Four-digit numbers that are years, not prices. */
const YEAR = String.raw`(?<![$€£] ?|under |than |below |about |around |up to |over )\b1\d{3}s?\b(?! ?(?:dollars|usd|euros?|bucks|pounds|eur|gbp))|\b(?:in|of|since|during) (?:the )?20[01]\d\b`;
/** Questions for an encyclopedia: who did what, when. */
const FACT = new RegExp(
  [
    String.raw`^(?:when|whose)\b|^who (?!can|could|sells?|offers?|helps?|fix|repairs?|does|delivers?|to\b|should|would)`,
    String.raw`^why (?:is|was|are|were|did|does|do|has|had|will)\b|^what(?:'s| is| are) (?:the )?\S+$`,
    String.raw`\b(?:was|were|did|had|invent\w*|wrote|written|played|won|founded|founder|called|discovered)\b`,
    String.raw`\b(?:season|rankings?|standings|statistics|stats|(?<!credit )scores?|(?:records?|history|meaning|definition|classification) of)\b`,
    String.raw`\bhow much (?:is|are|do|does) .*\b(?:worth|weigh\w*)\b`,
    YEAR,
  ].join('|'),
);
/** Things that the user already likes. */
const FOND = /^(i|we) (really |also |just )?(love|enjoy|play|like to)\b/;
/** Signs between numbers: "25*4", "15% of 80", "17 times 23", "x^2+5x+6=0". */
const ARITHMETIC =
  /\d ?[*×÷^] ?\d|\d ?% of \$?\d|\b\d[\d.,]* (?:times|plus|minus|divided by|multiplied by|squared|cubed)\b|\b[a-z]\^\d|\d ?[-+*/] ?\d+ ?=|(?:what(?:'s| is)|how much is) \d[\d.,]* ?[-+*/x] ?\d/;
/** Things to count or to work out. */
const COUNT = new RegExp(
  String.raw`\b(?:${[
    'how (?:many|long|far|old|big|tall|much did)|(?:ratio|proportion|percentage|percent|number) of',
    String.raw`how much (?!(?:is|are|was|will|would|should|can|could|for|to|it|this|that|the|a|an|does|do|did)\b)\S+ (?:is|are|does|do|did|has|have|can|was|were|use|make|of)\b(?! (?:i|we|you|one)\b)`,
    String.raw`how much (?:is )?(?:the )?(?:calories|caffeine)|how much [^?]*\b(?:he|she|they|left|altogether|in total|each)`,
    "(?:find|get|give me|what(?:'s| is)) the (?:net|compound|estimated|total|sum|mean|area|volume|distance|probability|odds|factorial|roots?|derivative|integral|slope|gcd|value)",
  ].join('|')})\b`,
);
const COMMAND_START = "^|[.!?,;:\\n] *|\\b(?:to|please|you|me|i|we|and|then|not|can't|also|now|in) ";
/** Actions on something the user already has: an order, an account, a device, a list. */
const CHORE = new RegExp(
  `(?:${COMMAND_START})(?:change|chang|cancel+|return|reset+|update?|remove?|delete?|reschedule?|schedule (?:a|an|my|the) (?:\\S+ )?(?:meeting|call|event)|notify|let (?:my|him|her|them|everyone)|log me|(?:re)?fuel|fill (?:up )?(?:the|my)|top up|(?:start|initiate) (?:the|my)|re?tweet|read (?:me (?:my|the)|out)|create (?:a|an|my|the) (?:\\S+ )?(?:account|event|ticket|task|note)|pause|stop|mute|turn|set(?! up)|text|email|send (?:a|an|the|my|this|that|it|him|her|them)|remind|add|close|switch o(?:n|ff)|(?:un)?block|track|exchange|refund|(?:dis)?connect|(?:de)?activate?|mark|post|resolve|save (?:a|an|the|my|this|that|it|as)|edit|rename|reply|snooze|shut|lower|raise|navigate|verify|confirm|dial|phone (?:my|him|her|them)|call (?:my|him|her|them)|wake|clear|put)(?:ing)?\\b`,
);
/** A question about how to do something may be answered with a product. */
const HOW_TO = /\bhow (do|can|to|should|would|could)\b/;
/** Things to be made for the user: sums, texts, lists. */
const TASK = new RegExp(
  `(?:${COMMAND_START})(?:calculate|compute|solve|convert|identify|classify|summari[sz]e|write|rewrite|generate|explain|determine|evaluate|name|describe|extract|act|imagine|pretend|categori[sz]e|translate|count|fetch|retrieve|prove|debug|implement|tell (?:me |us )?(?:a|an|another) (?:\\S+ )?(?:joke|story|riddle|poem|fact))\\b`,
);
/** Tasks that are also sold as products. */
const PLAN = /\b(itinerary|(travel|trip|vacation|holiday|meal|workout|training|diet) plans?)\b/;
/** What people tell customer support about an order or an account. */
const SUPPORT_CASE =
  /\b(?:my|the|and) (?:user id|order (?:id|number)|reservation (?:id|number)|zip code|e-?mail|account number)(?: address)? is\b|\b(?:refunded|compensation|reimbursed?|arrived (?:broken|damaged|late)|(?:been|was|is|are) (?:delayed|cancell?ed)|wrong (?:size|item|colou?r)|(?:get|need|want) (?:\S+ ){0,2}cancell?ed|ticket (?:id|details|status)|details of the (?:\S+ )?ticket|messages (?:that )?i(?:'ve| have)?)\b/;
/** The end of a wish: thanks, farewells, refusals, and a purchase already made. */
const DONE =
  /^(?:(?:ok(?:ay)?|well|ah|oh|cool|great|thanks?(?: you)?|cheers|no|nah),? )*(?:(?:good)?bye(?: ?bye)?|see you(?: later)?|good night|that(?:'s| is| will be|'ll be) (?:all|it)|never ?mind|forget (?:it|about it|that)|no,? thanks?(?: you)?|not interested|i(?:'m| am) (?:done|not interested)|(?:i )?changed my mind|i(?:'ve| have)? (?:already |just )?(?:bought|got|ordered|purchased) (?:one|it|them|some|that|those)|i (?:do not|don't|won't|will not) (?:want|need|buy|like) (?:it|one|any|them|that|this|those|anything)|stop (?:showing|sending|with|the)|no (?:more )?ads)\b(?! (?:but|is|are|was|yet|from|for)\b)/;
/** A wish for something else instead. */
const ANOTHER = /\b(?:alternatives?|another|others?|else|different|do you (?:have|sell))\b/;
/** Things that the user already has, or stores in a device. */
const OWNED =
  /\b(my|our) (\S+ ){0,2}(account|orders?|reservations?|bookings?|bill|balance|payments?|pin|password|card|statement|appointments?|calendar|list|ticket|delivery|package|parcel|policy|claim|address|alarm|reminder|meeting|subscription|purchase|refund|shipment)\b|\be-?mails?\b(?! (?:marketing|hosting|provider|software|service|client|address|template|campaign|newsletter))|\b(?:distance|miles|kilomet(?:er|re)s) (?:from|between)\b|\b(?:order|user|account|reservation|ticket) (?:id|number)\b|\bmessages i\b|\bto-?do\b|\b(?:shopping|grocery|groceries) (?:item|list|note)s?|(?:list|note)s? (?:of|with|for) (?:my |the )?(?:shopping|groceries)\b/;
/** A message of up to four words without a question counts as a search. */
const BARE = /^\S+(\s+\S+){0,3}$/;
/** A wish may follow a story: each part of a message is read separately. */
const PARTS =
  /[.!?;\n]+|,? (?:and|but|so|then) (?=(?:can|could|would|where|which|what|please|find|i) )|, (?=(?:can|could|where|which|what|any) )/;

/**
 * Detects what a message asks for. @param saysNeed whether it contains a topic's own words for a need ("locked myself
 * out")
 */
export function detectIntent(
  message: string,
  language: DetectedLanguage,
  saysNeed: boolean,
  askingWords: IntentWordsTable,
): MessageIntent {
  const ends =
    message.length > 2 * MAX_END_LENGTH
      ? `${message.slice(0, MAX_END_LENGTH)}\n${message.slice(-MAX_END_LENGTH)}`
      : message;
  if (isNonEnglish(language)) return detectIntentByWords(ends, language.code, askingWords);
  const text = ends.toLowerCase().replaceAll('’', "'").trim();
  const isBare = !text.includes('?') && BARE.test(text);
  const parts = text.split(PARTS).map((part) => part.trim());
  const isChore =
    isDone(parts) ||
    ARITHMETIC.test(text) ||
    SUPPORT_CASE.test(text) ||
    (CHORE.test(text) && (!HOW_TO.test(text) || OWNED.test(text)));
  const isOther = isChore || (TASK.test(text) && !PLAN.test(text)) || COUNT.test(text);
  const isWanted = isBare || (saysNeed && !isAnswered(text));
  const wishes = !isOther && (isWanted || parts.some(isWish));
  const isUnclear = !wishes && !isOther && !parts.some(isAnswered);
  const buys = wishes && BUY.test(text);
  return { wishes: wishes ? 1 : 0, buys: buys ? 1 : 0, chore: isChore ? 1 : 0, isUnclear };
}

/** Whether the user no longer wants what they wanted, and wants nothing else instead. */
const isDone = (parts: readonly string[]): boolean =>
  parts.some((part) => DONE.test(part)) &&
  !parts.map((part) => part.replace(DONE, '')).some((part) => isWish(part) || ANOTHER.test(part));

const isWish = (part: string): boolean => WISH.test(part) && !isAnswered(part);

/** Whether this part of the message calls for no product. */
const isAnswered = (part: string): boolean => FACT.test(part) || OWNED.test(part) || FOND.test(part);

/** In a language without spaces, up to this many characters without a question count as a search. */
const MAX_BARE_CHARACTERS = 8;
/** Bounds the work: folding can turn one character into eighteen, and the patterns look for an ending after each. */
const MAX_FOLDED_LENGTH = 2_000;
/** A wish may follow a story: each sentence is read separately. */
const SENTENCES = /(?<=[?？؟])|[.!;\n。！]+/;

/**
 * Detects the intent of a message in a language other than English by lists of words. Unclear for a language without
 * lists.
 */
function detectIntentByWords(message: string, language: string, table: IntentWordsTable): MessageIntent {
  const patterns = table.get(language);
  if (!patterns) return { wishes: 0, buys: 0, chore: 0, isUnclear: true };
  const text = fold(message).slice(0, MAX_FOLDED_LENGTH).replaceAll('’', "'").trim();
  const isChore = patterns.chore.test(text);
  const isFact = patterns.fact.test(text);
  const isBareWish = !isFact && isBareByWords(text, language);
  const affirmed = text.replaceAll(NEGATED_WISH.get(language) ?? /$^/gu, '');
  const wishes = !isChore && (isBareWish || affirmed.split(SENTENCES).some((part) => isWishByWords(part, patterns)));
  const isUnclear = !wishes && !isChore && !isFact;
  return { wishes: wishes ? 1 : 0, buys: wishes && patterns.buy.test(text) ? 1 : 0, chore: isChore ? 1 : 0, isUnclear };
}

const isWishByWords = (part: string, { wish, buy, fact }: IntentPatterns): boolean =>
  (wish.test(part) || buy.test(part)) && !fact.test(part);

const isBareByWords = (text: string, language: string): boolean =>
  !/[?？؟]/.test(text) && (isUnspacedLanguage(language) ? text.length <= MAX_BARE_CHARACTERS : BARE.test(text));
