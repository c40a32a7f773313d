/** Characters at either end of a message that are looked at: who wants something says so first or last. */
const MOST_READ = 400;

/** A wish, a need, or a question that looks for a way to it. */
const WISH = new RegExp(
  String.raw`\b(${[
    'want|need|wish|please|have no|instead|worth|which|play|trying to|interested in',
    "(would|i'?d|we'?d) (like|love)|who (can|could|helps|fixes)",
    '(looking|searching|search) (for|to|into)|look for|searching|find (me|us|a|an|some|one|my|another)',
    '(book|order|reserve) (me |us )?(a|an|some)|(get|show|give) (me|us)|buy|purchase|rent|hire',
    'recommend|recommendations?|suggest|suggestions?|advice|tips?|ideas|recipes?|itinerary|(travel|trip) plan',
    'best|cheap|cheapest|cheaper|affordable|good|great|nice|fun|reliable|quality|popular|top (\\d+|\\w+)',
    'near|nearby|nearest|closest|deals?|available|in stock|(on|for) sale|sells?|shops?|stores?|brands?|reviews?',
    'how much (.+ )?(costs?|charge|fees?)|how much (is|are) (a|an|the|it)|how (do|can|to|should|would|could)',
    '(prices?|costs?|fees?|tuition|rates?) (of|for|at|in|to|on)|(the|average|current|typical) (\\S+ ){0,2}(prices?|costs?|fees?|rates?)',
    'where (can|do|could|to|should)|what (\\S+ ){1,2}(should|goes|would|can (i|you|we)|do i)|(can|could|may|might) (you|i|we)',
    'what are some|are there (any|some)|things to do|benefits? of',
  ].join('|')})\b|^(find|locate|get|order|book|list|show|browse|craft|plan|arrange)\b`,
);
/** What one asks in a shop, or of whoever knows one. */
const BUY =
  /\b(buy|purchase|rent|hire|best|cheap|cheapest|cheaper|affordable|recommend|recommendations?|suggest|suggestions?|worth (it|buying|the)|where (can|do) (i|we) (buy|get|find)|find (me|us|one|another))\b/;
/** What an encyclopedia answers: who did what, when. */
const FACT =
  /^(when|whose)\b|^(who|why) (is|was|are|were|did|does|do|has|had|will)\b|\b(was|were|did|had|invented|wrote|written|played|won|founded|called)\b|\b1\d{3}\b|^what('s| is| are) (the )?\S+$/;
/** What somebody is fond of already. */
const FOND = /^(i|we) (really |also |just )?(love|enjoy|play|like to)\b/;
/** What is counted. */
const COUNT = /\bhow (many|long|far|old|big|tall|much did)\b|\b(ratio|proportion|percentage|percent|number) of\b/;
const BEFORE = "^|[.!?,;:\\n] *|\\b(?:to|please|you|me|i|we|and|then|not|can't|also|now|in) ";
/** What is done to what somebody has already: an order, an account, a device, a list. */
const CHORE = new RegExp(
  `(?:${BEFORE})(?:change|chang|cancel+|return|reset+|update?|remove?|delete?|reschedule?|schedule (?:a|an|my|the) (?:\\S+ )?(?:meeting|call|event)|pause|stop|mute|skip|turn|set(?! up)|text|email|send (?:a|an|the|my|this|that|it|him|her|them)|remind|add|close|switch|(?:un)?block|dispute|report|track|exchange|refund|(?:dis)?connect|(?:de)?activate?|mark|post|resolve|save (?:a|an|the|my|this|that|it|as)|edit|rename|reply|snooze|shut|lower|raise|navigate|verify|confirm|dial|wake|lock|clear|put|pull)(?:ing)?\\b`,
);
/** How something is done may be learned, or done with a product. */
const HOW_TO = /\bhow (do|can|to|should|would|could)\b/;
/** What is made for somebody: sums, texts, lists. */
const TASK = new RegExp(
  `(?:${BEFORE})(?:calculate|compute|solve|convert|identify|classify|summari[sz]e|write|rewrite|generate|explain|determine|evaluate|name|describe|extract|act|imagine|pretend|categori[sz]e|translate|count|fetch|retrieve|prove|debug|implement)\\b`,
);
/** What somebody has already, or keeps in a device. */
const OWNED =
  /\b(my|our) (\S+ ){0,2}(account|orders?|reservations?|bookings?|bill|balance|payments?|pin|password|card|statement|appointments?|calendar|list|ticket|delivery|package|parcel|policy|claim|address|alarm|reminder|meeting|subscription|purchase|refund|shipment)\b|\b(my|our|an|the|all|show|find|check|read) emails?\b|\bto-?do\b|\b(shopping|grocery|groceries) (list|note)s?\b/;
/** So few words, without a question, are what is searched for. */
const BARE = /^\S+(\s+\S+){0,3}$/;
/** What one wants may follow upon what happened: each part is read by itself. */
const PARTS =
  /[.!?;\n]+|,? (?:and|but|so|then) (?=(?:can|could|would|where|which|what|please|find|i) )|, (?=(?:can|could|where|which|what|any) )/;

/** How somebody asks for something, as far as words of English tell. */
export interface Asking {
  /** 1 when a wish, a need or a question stands in the message, and nothing that is done or answered without any product. */
  wishes: number;
  /** 1 when such a wish is to get something: what to buy, which to take, where to find one. */
  buys: number;
  /** 1 when something is to be done to what one has. */
  chore: number;
}

/**
 * @param isEnglish whether the words may be English: others are taken for a wish
 * @param saysNeed whether a topic's own words for a need stand in it ("locked myself out")
 */
export function askingOf(message: string, isEnglish: boolean, saysNeed: boolean): Asking {
  if (!isEnglish) return { wishes: 1, buys: 0, chore: 0 };
  const ends =
    message.length > 2 * MOST_READ ? `${message.slice(0, MOST_READ)}\n${message.slice(-MOST_READ)}` : message;
  const text = ends.toLowerCase().replaceAll('’', "'").trim();
  const isBare = !text.includes('?') && BARE.test(text);
  const isChore = CHORE.test(text) && (!HOW_TO.test(text) || OWNED.test(text));
  const isOther = isChore || TASK.test(text) || COUNT.test(text);
  const isWanted = isBare || (saysNeed && !isAnswered(text));
  const wishes = !isOther && (isWanted || text.split(PARTS).some((part) => isWish(part.trim())));
  const buys = wishes && BUY.test(text);
  return { wishes: wishes ? 1 : 0, buys: buys ? 1 : 0, chore: isChore ? 1 : 0 };
}

const isWish = (part: string): boolean => WISH.test(part) && !isAnswered(part);

/** Whether it is answered without any product. */
const isAnswered = (part: string): boolean => FACT.test(part) || OWNED.test(part) || FOND.test(part);
