/** Characters at either end of a message that are looked at: who wants something says so first or last. */
const MOST_READ = 400;

/** A wish, a need, or a question that looks for a way to it. */
const WISH =
  /\b(want|need|wish|please|have no|who (can|could|helps|fixes)|looking (for|to|into)|look for|searching|trying to|(would|i'?d|we'?d) (like|love)|interested in|find (me|us|a|an|some|one|my)|(book|order|reserve) (me |us )?(a|an|some)|(get|show|give) (me|us)|play|instead|recommend|recommendations?|suggest|suggestions?|advice|tips?|best|cheap|cheapest|cheaper|affordable|good|great|nice|fun|reliable|quality|near|nearby|nearest|closest|deals?|buy|purchase|rent|hire|where (can|do|could|to|should)|what (\S+ ){1,2}(should|goes|would|can i|do i)|how (do|can|to|should|would|could)|which|worth)\b/;
/** What an encyclopedia answers: who did what, when, how many. */
const FACT =
  /^(when|whose)\b|^(who|why) (is|was|are|were|did|does|do|has|had|will)\b|\b(was|were|did|had|invented|wrote|written|played|won|founded|called)\b|\bhow (many|long|far|old|big|tall|much did)\b|\b1\d{3}\b|^what('s| is| are) (the )?\S+ ?\??$/;
const BEFORE = "^|[.!?,;:\\n] *|\\b(?:to|please|you|me|i|we|and|then|not|can't|also|now|in) ";
/** What is done to what somebody has already: an order, an account, a device, a list. */
const CHORE = new RegExp(
  `(?:${BEFORE})(?:change|chang|cancel+|return|reset+|update?|remove?|delete?|reschedule?|schedule?|pause|stop|mute|skip|turn|set|text|email|send|remind|add|close|switch|(?:un)?block|dispute|report|track|exchange|refund|replace|(?:dis)?connect|(?:de)?activate?|mark|post|resolve|save|edit|rename|reply|snooze|shut|lower|raise|navigate|verify|confirm|dial|wake|lock|clear|put|pull)(?:ing|ed)?\\b`,
);
/** What is made for somebody: sums, texts, lists. */
const TASK = new RegExp(
  `(?:${BEFORE})(?:calculate|compute|solve|convert|identify|classify|summari[sz]e|write|rewrite|generate|explain|determine|evaluate|name|describe|extract|act|imagine|pretend|categori[sz]e|translate|count|fetch|retrieve|prove|debug|implement)\\b`,
);
const OWNED =
  /\b(my|our) (\S+ ){0,2}(account|orders?|reservations?|bookings?|bill|balance|payments?|pin|password|card|statement|appointments?|calendar|list|to-?do|ticket|delivery|package|parcel|policy|claim|address|emails?|alarm|reminder|meeting|subscription|purchase|refund|shipment)\b/;
/** So few words, without a question, are what is searched for. */
const MOST_BARE = 4;

/** How somebody asks for something, as far as words of English tell. */
export interface Asking {
  /** 1 when a wish, a need or a question stands in the message, and nothing that is done or answered without any product. */
  wishes: number;
  /** 1 when something is to be done to what one has. */
  chore: number;
}

/** @param isEnglish whether the words may be English: others are taken for a wish */
export function askingOf(message: string, isEnglish: boolean): Asking {
  if (!isEnglish) return { wishes: 1, chore: 0 };
  const ends =
    message.length > 2 * MOST_READ ? `${message.slice(0, MOST_READ)}\n${message.slice(-MOST_READ)}` : message;
  const text = ends.toLowerCase().replaceAll('’', "'").trim();
  const isChore = CHORE.test(text);
  const isOwned = OWNED.test(text);
  const isBare = !text.includes('?') && text.split(/\s+/, MOST_BARE + 1).length <= MOST_BARE;
  const wishes = (WISH.test(text) || isBare) && !FACT.test(text) && !isChore && !isOwned && !TASK.test(text);
  return { wishes: wishes ? 1 : 0, chore: isChore ? 1 : 0 };
}
