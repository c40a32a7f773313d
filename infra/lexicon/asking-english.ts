import type { EnglishWords } from '../../shared/matching/index.ts';

/** What comes before or after a number if it is a price. */
const BEFORE_PRICE = '[$€£] ?|under |than |below |about |around |up to |over ';
const CURRENCIES = 'dollars|usd|euros?|bucks|pounds|eur|gbp';

/** Phrases that express intent in English. `EnglishWords` explains the lists and the signs in them. */
export const ENGLISH_ASKING_WORDS: EnglishWords = {
  wish: [
    // Wants and needs
    "want|wish|please|(i|we|you) need|needs? _|(would|i'?d|we'?d) (like|love)|have no|instead|trying to|interested in",
    "(for|to) (me|us)|can(not|'t| only) (find|get|sleep|eat|afford|decide)",
    // Commands to an assistant
    '(looking|searching|search) (for|to|into)|look for|searching|find (me|us|a|an|some|one|my|another)',
    '(book|order|reserve) (me |us )?(a|an|some)|(get|show|give) (me|us)|buy|purchase|rent|hire|play',
    '^find|locate|get|order|book|list|show|browse|craft|plan|arrange',
    // Advice
    'recommend|recommendations?|suggest|suggestions?|advice|tips?|ideas|guide to|steps (for|to)|what are some',
    'recipes?|itinerary|(travel|trip) plan|things to do|tourist attractions|sightseeing|directions to',
    // Comparisons and praise
    'difference (between|in)|differences between|compare|comparison|vs|versus|benefits? of|reviews?|brands?',
    'best|good|great|nice|fun|reliable|quality|popular|top \\w+|worth (it|the|a|buying|getting|having|paying)',
    // Prices
    'cheap|cheapest|cheaper|affordable|deals?(?! with)|charged|sets? (me|us) back',
    'how much (.+ )?(costs?|charge|fees?)|how much (is|are|will|would|for)',
    '(prices?|costs?|fees?|tuition|rates?) (of|for|at|in|to|on)',
    '(the|average|current|typical) (_ ){0,2}(prices?|costs?|fees?|rates?)',
    // Places and shops
    'near|nearby|nearest|closest|available|in stock|(on|for) sale|sells?|shops?|stores?',
    '(phone |telephone )?number (for|to)',
    // Questions for the existence of something, or for where, which, who
    '(is|are) there (a|an|any|some|another|\\w+s)|who (can|could|helps|fixes)',
    'where (can|could|to|should)|where (do|would|might) (i|you|we|u|one)|which of|which one',
    'which (_ ){1,3}(should|would|can|could|do|is|are|has|have|' +
      'offers?|sells?|serves?|makes?|fits?|suits?|goes|works?)',
    'what (_ ){1,2}(offers?|sells?|serves?|provides?|rents?|should|goes|would|can (i|you|we)|do i)',
    // Questions for how to do something, or for help with it
    'how (do )?(do|can|should|would|could|might) (i|you|we|u|one|someone)|(can|could|may|might) (you|i|we)',
    'how to (choose|pick|find|buy|learn|play|cook|plan|book|save|fix|clean|improve|train|start)',
  ],
  buy: [
    // What to get, and where
    'buy|purchase|rent|hire|where (can|do) (i|we) (buy|get|find)|find (me|us|one|another)',
    // Which one to take
    'best|cheap|cheapest|cheaper|affordable|worth (it|buying|the)',
    'recommend|recommendations?|suggest|suggestions?',
  ],
  fact: [
    // Questions for times and people, but not for who offers a service
    '^when|whose|who(?= )(?! (can|could|sells?|offers?|helps?|fix|repairs?|does|delivers?|to\\b|should|would))',
    // Questions for reasons and definitions: "why is the sky blue", "what is love"
    "^why (is|was|are|were|did|does|do|has|had|will)|what('s| is| are)(?= (the )?_$)",
    // The past
    'was|were|did|had|invent*|wrote|written|played|won|founded|founder|called|discovered',
    // Sports and knowledge
    'season|rankings?|standings|statistics|stats|(?<!credit )scores?',
    '(records?|history|meaning|definition|classification) of',
    // Values and weights
    'how much (is|are|do|does) .*\\b(worth|weigh*)',
    // Years
    `(?<!${BEFORE_PRICE})1\\d{3}s?(?! ?(${CURRENCIES}))`,
    '(in|of|since|during) (the )?20[01]\\d',
  ],
  fond: ['^(i|we) (really |also |just )?(love|enjoy|play|like to)'],
  owned: [
    // "my last two orders"
    '(my|our) (_ ){0,2}(account|bill|balance|payments?|pin|password|card|statement|subscription|policy|claim|address|' +
      'orders?|reservations?|bookings?|purchase|refund|shipment|delivery|package|parcel|ticket|' +
      'appointments?|calendar|list|alarm|reminder|meeting)',
    '(order|user|account|reservation|ticket) (id|number)',
    // Messages, but not products for sending them
    'e-?mails?(?! (marketing|hosting|provider|software|service|client|address|template|campaign|newsletter))',
    'messages i',
    // Lists
    'to-?do|(shopping|grocery|groceries) (item*|list*|note*)',
    '(?<=(list|note)s? (of|with|for) (my |the )?)(shopping|groceries)',
    // Distances
    '(distance|miles|kilomet(er|re)s) (from|between)',
  ],
  supportCase: [
    // "my order number is 1234"
    '(my|the|and) (user id|(order|reservation) (id|number)|zip code|e-?mail|account number)( address)? is',
    // What went wrong
    'refunded|compensation|reimbursed?|arrived (broken|damaged|late)|(been|was|is|are) (delayed|cancell?ed)',
    'wrong (size|item|colou?r)|(get|need|want) (_ ){0,2}cancell?ed',
    // Tickets and messages
    "ticket (id|details|status)|details of the (_ )?ticket|messages (that )?i('ve| have)?",
  ],
  chore: [
    // Orders and accounts
    'cancel+|return|exchange|refund|track|(de)?activate?|(un)?block|confirm|verify|resolve|log me',
    'create (a|an|my|the) (_ )?(account|event|ticket|task|note)',
    // Appointments
    'reschedule?|schedule (a|an|my|the) (_ )?(meeting|call|event)|remind|snooze|wake',
    // Messages and calls
    'text|email|reply|post|re?tweet|notify|send (a|an|the|my|this|that|it|him|her|them)|read (me (my|the)|out)',
    'let (my|him|her|them|everyone)|dial|(phone|call) (my|him|her|them)',
    // Devices
    'turn|switch o(n|ff)|set(?! up)|reset+|pause|stop|mute|shut|close|lower|raise|(dis)?connect|(start|initiate) (the|my)',
    // Lists and files
    'add|remove?|delete?|clear|put|mark|edit|rename|change?|update?|save (a|an|the|my|this|that|it|as)',
    // Cars
    '(re)?fuel|fill (up )?(the|my)|top up|navigate',
  ],
  task: [
    // Sums
    'calculate|compute|solve|convert|count|prove|determine|evaluate',
    // Texts
    'write|rewrite|summari[sz]e|translate|describe|explain|name|imagine|pretend|act',
    'tell (me |us )?(a|an|another) (_ )?(joke|story|riddle|poem|fact)',
    // Data and programs
    'identify|classify|categori[sz]e|extract|fetch|retrieve|generate|debug|implement',
  ],
  beforeCommand: ["to|please|you|me|i|we|and|then|not|can't|also|now|in"],
  howTo: ['how (do|can|to|should|would|could)'],
  plan: ['itinerary|(travel|trip|vacation|holiday|meal|workout|training|diet) plans?'],
  count: [
    // Numbers and shares
    'how (many|long|far|old|big|tall|much did)|(ratio|proportion|percentage|percent|number) of',
    // Amounts: "how much sugar is in juice", but not "how much fabric do I need"
    'how much (?!(is|are|was|will|would|should|can|could|for|to|it|this|that|the|a|an|does|do|did)\\b)_ ' +
      '(is|are|do|does|did|has|have|can|was|were|use|make|of)(?! (i|we|you|one)\\b)',
    'how much (is )?(the )?(calories|caffeine)',
    // Sums in a story: "how much does she have left"
    'how much [^?]*\\b(he|she|they|left|altogether|in total|each)',
    // Mathematics
    "(find|get|give me|what('s| is)) the (net|compound|estimated|total|sum|mean|area|volume|distance|probability)",
    "(find|get|give me|what('s| is)) the (odds|factorial|roots?|derivative|integral|slope|gcd|value)",
  ],
  beforeDone: ['ok(ay)?|well|ah|oh|cool|great|thanks?( you)?|cheers|no|nah'],
  done: [
    // Farewells
    "(good)?bye( ?bye)?|see you( later)?|good night|that('s| is| will be|'ll be) (all|it)",
    // Refusals
    "never ?mind|forget (it|about it|that)|no,? thanks?( you)?|not interested|i('m| am) (done|not interested)",
    '(i )?changed my mind',
    // A purchase already made
    "i('ve| have)? (already |just )?(bought|got|ordered|purchased) (one|it|them|some|that|those)",
    // Refusals of the thing, or of ads
    "i (do not|don't|won't|will not) (want|need|buy|like) (it|one|any|them|that|this|those|anything)",
    'stop (showing|sending|with|the)|no (more )?ads',
  ],
  afterDone: ['but|is|are|was|yet|from|for'],
  another: ['alternatives?|another|others?|else|different|do you (have|sell)'],
};
