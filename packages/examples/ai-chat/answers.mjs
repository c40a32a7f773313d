/** For each topic: a pattern, the answer to the first question, and the answer to any later question. */
const TOPICS = [
  [
    /\b(run|running|runner|jog|jogging|marathon|10k|5k|shoes?|sneakers|socks)\b/i,
    'For a first pair, comfort decides. Try three in the afternoon, when feet are a little larger, leave a thumb of room at the ' +
      'toes, and run a few steps in the shop. Soft cushioning forgives the early mistakes of a new runner.',
    'Change little at a time: a new pair first for short runs, then for long ones, and never for a race. Replace it after about ' +
      '500 miles, and wear socks without cotton: dry feet get no blisters.',
  ],
  [
    /\b(weekend|getaway|cabin|lake|holiday|vacation|trip|travel|hotel)\b/i,
    'In October the water is calm and prices fall. Look for a place with a stove and a late check-out, read the newest reviews ' +
      'first, and choose one that you can cancel until two days before.',
    'For four people, two bathrooms are worth the extra money. Ask what is included: linen, firewood, and the final cleaning make ' +
      'the difference between two prices that look the same.',
  ],
  [
    /\b(restaurant|dinner|lunch|pasta|italian|table for)\b/i,
    'Early on a weekday is best for two: the kitchen has time, and the table by the window is often free. Ask what is made in the ' +
      'house; fresh pasta is a good sign.',
    'Book ahead for Friday and Saturday, and say so if you celebrate something. A short menu usually means fresher food than a long one.',
  ],
  [
    /\b(insure|insurance|insuring|deductible)\b/i,
    'Compare at least three quotes with the same coverage. Choose the highest deductible that you could pay on a bad day, and ask ' +
      'for discounts for few miles or for paying the year at once.',
    'Check what happens to the price after a claim, and whether you may choose the garage. Cancel the old policy only when you have ' +
      'the new one in writing.',
  ],
  [
    /\b(code|coding|program|programming|python|javascript|developer|bootcamp)\b/i,
    'Start with something small that you want to exist, and learn what it needs. Python is kind to beginners. A course is worth ' +
      'its price if someone reviews your code.',
    'An hour each day beats a whole Sunday. Read code that others wrote, change it, and see what breaks; keep what you build where ' +
      'people can see it.',
  ],
  [
    /\b(bike|bicycle|cycling|used gear|second hand)\b/i,
    'Let the size of the frame decide before the brand does, and ride it for ten minutes. On a used bike look at the chain, the ' +
      'rims, and the brake pads: those are the parts that cost money next.',
    'Ask for the serial number and the first receipt, and have a shop adjust it once. A good lock costs a tenth of the bike.',
  ],
];

const GREETING = /^\W*(hi|hello|hey|good (morning|afternoon|evening))\b|\bhow are you\b/i;
const THANKS =
  /^\W*((many )?thanks|thank you|cheers|great|perfect|nice|cool|ok|okay|sounds good|got it|bye|goodbye)\b/i;

/** A message about death, self-harm, or hardship. It ends all advice and all ads for the rest of the conversation. */
const SENSITIVE = new RegExp(
  [
    String.raw`\b(hurt|kill|cut|harm)(ing)? myself\b|suicid|hopeless|want to die|end (my life|it all)|miscarriage|funeral|\bevicted\b`,
    String.raw`\b(dad|father|mom|mum|mother|husband|wife|partner|son|daughter|child|baby|brother|sister|grand\w+|friend|dog|cat)( has| just)* (died|passed away)\b`,
    String.raw`\b(i|i'm|im|got|was|been|just) (just )?(got )?(fired|laid off)\b`,
  ].join('|'),
  'i',
);
const GENTLE =
  'I am really sorry that you are going through this, and I am glad that you said so. I am only a demo with canned answers. ' +
  'Please talk to someone you trust, or call a local helpline; in the US that is 988. In an emergency, call your local emergency number now.';

const FALLBACK =
  'I am a demo with canned answers, and I have none for this. Try running shoes, a cabin by the lake, an Italian restaurant, car ' +
  'insurance, or a Python course.';

/** The texts of the user's messages in a prompt, oldest first. */
export const getUserTexts = (prompt) =>
  prompt.filter(({ role }) => role === 'user').map(({ content }) => toText(content));

const toText = (content) =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');

/** Whether the newest message is about one of the topics. An ad below any other answer would be out of place. */
export const isOnTopic = (texts) =>
  findTopic(texts.at(-1) ?? '') !== undefined && !texts.some((text) => SENSITIVE.test(text));

/** Returns the answer to a conversation. @param texts the user's messages, oldest first */
export function answerTo(texts) {
  if (texts.some((text) => SENSITIVE.test(text))) return GENTLE;
  const newest = texts.at(-1) ?? '';
  const topic = findTopic(newest);
  if (topic) return topic[texts.slice(0, -1).some((text) => findTopic(text) === topic) ? 2 : 1];
  if (GREETING.test(newest))
    return 'Hello! I am well, thank you. Ask me about running, a weekend away, dinner, a car, or learning to code.';
  return THANKS.test(newest) ? 'You are welcome! Ask me something else whenever you like.' : FALLBACK;
}

const findTopic = (text) => TOPICS.find(([about]) => about.test(text));
