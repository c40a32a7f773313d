import type { SampleMessage } from './samples.ts';

const PLEASE = 'Please talk to someone you trust, or to a local helpline';

/** The answer if the service finds the conversation sensitive, on any subject. */
const GENTLE = `That is serious, and you deserve a person rather than a scripted answer. ${PLEASE}. If anyone is in danger, call your local emergency number.`;

const NEAR =
  '(mother|father|mum|mom|dad|parents?|son|daughter|baby|child|wife|husband|partner|brother|sister|friend|grand\\w+)';
const LOST = [
  String.raw`\b(my|our) (\w+ )?(${NEAR}|dog|cat) (\w+ )?(died|is dead|passed|took (his|her) own life)\b`,
  String.raw`\b(lost|miss) (my|our) (\w+ )?${NEAR}\b`,
  String.raw`\b(passed away|funerals?|griev(e|ing)|grief|bereave\w*|widow(ed|er)?|miscarr\w*|stillb(orn|irth))\b`,
];

/** Patterns of distress, each with its answer for the rest of the conversation. */
const SENSITIVE: readonly [about: RegExp, answer: string][] = [
  [
    /\b(hurt|kill|cut|harm)(ing)? myself\b|suicid|feel(ing)? (\w+ )?hopeless|(want to|wish i (was|were)) (die|dead)|end (my life|it all)|self.?harm|no reason to live/i,
    `I am really sorry that you feel this way, and I am glad that you said so. ${PLEASE}, now: in an emergency your local emergency number, in the US also 988. You do not have to go through tonight alone.`,
  ],
  [
    new RegExp(LOST.join('|'), 'i'),
    `I am so sorry for your loss. Grief takes its own time, and there is no right way to feel. ${PLEASE}, when it gets too heavy; you do not have to carry it alone.`,
  ],
];

/** The assistant's canned answers. There is no model: the first matching pattern gives the answer. */
const ANSWERS: readonly [about: RegExp, answer: string][] = [
  [
    /^(hi|hello|hey|good (morning|evening))\b|how are you/i,
    'Hello! I am well, thank you. What would you like to talk about?',
  ],
  [
    /\b(10k|marathons?|jog(s|ging|gers?)?|run(s|ning|ners?)?)\b|shoes?\b/i,
    'For a beginner, comfort counts most: a cushioned daily trainer with a thumb’s width before your toes. Try them in the evening, when feet are a little larger, and change them after some 500 km.',
  ],
  [
    /\binsur/i,
    'Compare at least three quotes with the same cover, choose the highest excess that you could pay on a bad day, and ask for discounts for few miles a year or for paying at once.',
  ],
  [
    /\b(cars?|tyres?|tires?|garages?)\b/i,
    'Have its history checked, look at it in daylight, and let a garage of your own choice see it before you pay. Keep something aside for tyres and the first service.',
  ],
  [
    /\b(cabins?|getaways?|holidays?|vacations?|travel(s|l?ing)?|trips?|hotels?|flights?|weekends?)\b/i,
    'In October the water is quiet and prices fall. Look for places with a stove and a late check-out, and book the ones that can be cancelled until two days before.',
  ],
  [
    /\b(cod(e|ing)|python|program(s|ming|mers?)?|developers?|javascript)\b/i,
    'Start with something small that you want to exist, and learn what it needs. A course is worth its price if someone looks at your code; the rest is free in good books.',
  ],
  [
    /\b(restaurants?|dinners?|pasta|lunch(es)?|cook(s|ing)?|recipes?)\b/i,
    'For two, early on a weekday is best: ask for a table by the window, and let the kitchen choose one of the courses.',
  ],
  [
    /\b(tents?|camp(s|ing|sites?)?|hik(es?|ing|ers?)|boots?|backpack(s|ing|ers?)?|rain(s|y|ing|coats?)?)\b/i,
    'Look for taped seams and a water column of 3,000 mm, and pitch it once at home before you go. Good poles matter more than little weight.',
  ],
  [
    /\b(laptops?|(smart|head)?phones?|computers?|cameras?|gaming|monitors?)\b/i,
    'Decide first what you do most with it, and pay for that part alone: the screen if you read, the memory if you keep much open. Last year’s model is often the better deal.',
  ],
  [
    /\b((motor|e-?)?bikes?|bicycles?|cycling|scooters?)\b/i,
    'Let the frame’s size decide before the brand does, and ride it for ten minutes. A shop that adjusts it for you in the first months is worth the difference.',
  ],
];

const FALLBACK =
  'That depends on what matters most to you. Tell me a little more: what have you tried, and what would a good outcome look like?';

const answerAmong = (answers: typeof ANSWERS, text: string) => answers.find(([about]) => about.test(text))?.[1];

/**
 * Answers the last message. After a message in distress, the rest of the conversation gets no advice.
 * @param isSensitive whether the service, which recognizes more than these patterns, found the conversation sensitive
 */
export function answerTo(messages: readonly SampleMessage[], isSensitive = false): string {
  const texts = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const gentle = answerAmong(SENSITIVE, texts.join('\n')) ?? (isSensitive ? GENTLE : undefined);
  return gentle ?? answerAmong(ANSWERS, texts.at(-1) ?? '') ?? FALLBACK;
}
