import { pathsById } from '../../shared/platform/values/category-paths.ts';
import type { Option } from './search.ts';

/** What people call a category of the IAB Content Taxonomy. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  'Alcoholic Beverages': ['Alcohol', 'Beer', 'Wine', 'Liquor', 'Spirits', 'Whiskey', 'Cocktails'],
  'Alternative Medicine': ['CBD', 'Cannabis', 'Marijuana', 'Homeopathy', 'Acupuncture'],
  'Antiquing and Antiques': ['Vintage'],
  Apartments: ['Flats'],
  Astrology: ['Horoscopes', 'Tarot', 'Zodiac'],
  'Auto Insurance': ['Car insurance'],
  'Auto Parts': ['Car parts'],
  'Auto Rentals': ['Car rental', 'Rental cars'],
  Automotive: ['Cars', 'Vehicles'],
  'Air Travel': ['Flights', 'Airlines'],
  'Bars & Restaurants': ['Pubs'],
  'Birth Control': ['Contraception'],
  'Casinos & Gambling': ['Gambling', 'Betting', 'Casino', 'Bookmakers', 'Slots', 'Wagering'],
  "Children's Games and Toys": ['Toys'],
  Christianity: ['Christian', 'Church', 'Bible'],
  Cigars: ['Tobacco', 'Cigarettes', 'Smoking'],
  'Computer Software and Applications': ['Apps', 'Software'],
  'Consumer Banking': ['Banks', 'Checking account'],
  'Consumer Electronics': ['Electronics', 'Gadgets'],
  'Cosmetic Medical Services': ['Plastic surgery', 'Botox'],
  Dating: ['Adult', 'Sex', 'Hookups', 'Singles'],
  'Defense Industry': ['Arms', 'Military'],
  'Diseases and Conditions': ['Illness'],
  Elections: ['Voting', 'Campaigning'],
  Entertainment: ['Shows'],
  eSports: ['Esports'],
  'Fitness and Exercise': ['Gym', 'Workout'],
  'Games and Puzzles': ['Games'],
  'Herbs and Supplements': ['Vitamins', 'Supplements'],
  'Home Financing': ['Mortgage'],
  'Hotels and Motels': ['Lodging', 'Accommodation'],
  'Hunting and Shooting': ['Weapons', 'Guns', 'Firearms', 'Rifles', 'Ammunition', 'Ammo', 'Arms'],
  Islam: ['Muslim'],
  Judaism: ['Jewish'],
  Law: ['Legal', 'Lawyers', 'Attorneys'],
  'Lotteries and Scratchcards': ['Lottery', 'Lotto', 'Gambling'],
  'Medical Health': ['Medicine', 'Doctors', 'Healthcare'],
  'Mental Health': ['Therapy', 'Depression', 'Anxiety'],
  Movies: ['Film', 'Cinema'],
  'Personal Debt': ['Debt'],
  'Personal Investing': ['Investing', 'Crypto', 'Cryptocurrency', 'Bitcoin'],
  'Personal Loans': ['Payday loans', 'Loans'],
  'Pharmaceutical Drugs': ['Drugs', 'Medication', 'Pharmacy', 'Prescription'],
  'Poker and Professional Gambling': ['Gambling', 'Poker'],
  'Political Issues & Policy': ['Political ads'],
  Politics: ['Political', 'Government'],
  'Real Estate': ['Property', 'Housing'],
  'Religion & Spirituality': ['Religion', 'Faith'],
  'Running and Jogging': ['Jogging', 'Marathon'],
  'Sexual Health': ['Adult', 'Sex'],
  Smartphones: ['Phones', 'Mobile phones'],
  'Smoking Cessation': ['Tobacco', 'Vaping', 'Vapes', 'E-cigarettes', 'Nicotine', 'Cigarettes', 'Smoking'],
  Soccer: ['Football'],
  'Stocks and Bonds': ['Stocks', 'Shares'],
  'Style & Fashion': ['Clothing', 'Clothes', 'Apparel'],
  'Substance Abuse': ['Drugs', 'Addiction', 'Rehab'],
  'Technology & Computing': ['Tech', 'IT'],
  Television: ['TV'],
  'Video Gaming': ['Video games', 'Computer games', 'Gaming'],
  'War and Conflicts': ['War', 'Military'],
  'Weight Loss': ['Diet', 'Dieting'],
  "Women's Intimates and Sleepwear": ['Lingerie', 'Underwear'],
};

/** The categories of the IAB Content Taxonomy. The API takes their names, which are unique. */
export const createCategories = (): readonly Option[] =>
  [...pathsById().values()]
    .map((path) => {
      const cut = path.lastIndexOf(' > ');
      const name = cut < 0 ? path : path.slice(cut + 3);
      return { code: name, name, synonyms: SYNONYMS[name] ?? [], ...(cut > 0 && { above: path.slice(0, cut) }) };
    })
    .sort((a, b) => a.name.localeCompare(b.name));

/** What publishers usually block. The taxonomy has no category of weapons, tobacco, or adult products, so these name where such ads are. */
export const BLOCKED_PRESETS: Readonly<Record<string, readonly string[]>> = {
  Gambling: ['Casinos & Gambling', 'Lotteries and Scratchcards', 'Poker and Professional Gambling'],
  Weapons: ['Hunting and Shooting', 'Defense Industry'],
  Alcohol: ['Alcoholic Beverages'],
  Tobacco: ['Cigars', 'Smoking Cessation'],
  'Adult and dating': ['Dating', 'Sexual Health'],
  Drugs: ['Pharmaceutical Drugs', 'Substance Abuse'],
  Politics: ['Politics'],
  Religion: ['Religion & Spirituality'],
};

/**
 * Presets as entries, by name. They come before the categories, so that typing or pasting "Gambling" blocks the whole preset, not the one
 * category that is also called so.
 */
export const createPresets = (): readonly Option[] =>
  Object.entries(BLOCKED_PRESETS).map(([name, { length }]) => ({
    code: toPresetCode(name),
    name,
    synonyms: [],
    above: length === 1 ? '1 category' : `${length} categories`,
  }));

const toPresetCode = (preset: string): string => `preset ${preset}`;

/** The categories of a chosen entry, which may be a preset. */
export const toCategories = (code: string): readonly string[] =>
  Object.entries(BLOCKED_PRESETS).find(([preset]) => toPresetCode(preset) === code)?.[1] ?? [code];
