/**
 * The sensitive topics of the IAB Content Taxonomy 3.0 and 3.1, and also crime, disasters, bereavement, and war, by their ids in 2.0 to
 * 3.1. If a publisher declares one of them, the conversation gets no ad.
 */
const SENSITIVE_TOPICS = new Set(
  'v9i3On Rm3SiT avbNf2 XtODT3 I4GWl6 Z7rJBM HxqYV1 pg0WhF j9PaO9 mm3UXx 6i4dB6 8FD8nI 380 381 187 389'.split(' '),
);

/**
 * Sensitive, private, or sad topics, and products not for minors, by their paths in the lexicon. A category of them alone does not justify an
 * ad, and no report names them.
 */
const PRIVATE_TOPICS = [
  '_Sensitive',
  'Attractions > Casinos & Gambling',
  'Crime',
  'Disasters',
  'Family and Relationships > Bereavement',
  'Family and Relationships > Divorce',
  'Food & Drink > Alcoholic Beverages',
  'Healthy Living > Wellness > Smoking Cessation',
  'Medical Health > Diseases and Conditions',
  'Medical Health > Pharmaceutical Drugs',
  'Personal Celebrations & Life Events > Funeral',
  'Pop Culture > Celebrity Deaths',
  'Pop Culture > Celebrity Scandal',
  'Sports > Poker and Professional Gambling',
  'War and Conflicts',
];

/** Further topics that no report names, because they say something about a person's health, beliefs, or trouble with the law or money. */
const PERSONAL_TOPICS = [
  'Education > Special Education',
  'Family and Relationships > Parenting > Special Needs Kids',
  "Healthy Living > Children's Health",
  "Healthy Living > Men's Health",
  'Healthy Living > Senior Health',
  'Healthy Living > Weight Loss',
  "Healthy Living > Women's Health",
  'Law > Criminal and Traffic Law',
  'Law > Immigration Law',
  'Medical Health',
  'Personal Finance > Financial Assistance > Government Support and Welfare',
  'Politics',
  'Religion & Spirituality',
];

const isWithin = (path: string, topics: readonly string[]): boolean =>
  topics.some((one) => path === one || path.startsWith(`${one} > `));

export const isPrivateTopic = (path: string): boolean => isWithin(path, PRIVATE_TOPICS);

/** Whether the record of a bid may name a topic, and reports may name its phrases. */
export const isReportableTopic = (path: string): boolean => !isPrivateTopic(path) && !isWithin(path, PERSONAL_TOPICS);

/** Codes of 1.0: the violent, pornographic, profane, and hateful kinds of non-standard content, and all illegal content. */
const SENSITIVE_CODES_1 = /^IAB(25(-[2-5])?|26(-\d+)?)$/i;

/** Accepts ids of any version, because no id has different meanings in different versions. */
export const isSensitiveTopic = (id: string): boolean => SENSITIVE_TOPICS.has(id) || SENSITIVE_CODES_1.test(id);
