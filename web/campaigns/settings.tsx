import type { ComponentChild } from 'preact';
import { counted, formatUsd, label } from '../format.ts';
import { Day } from '../parts/time.tsx';
import type { CampaignBody, NewCampaign } from './bodies.ts';
import { nameUnknownPublisher, STRATEGIES } from './labels.ts';
import { usePublishers } from './publishers.ts';

/** Fields that the campaign's page shows elsewhere or has a button for. */
type Elsewhere =
  | 'name'
  | 'description'
  | 'budget'
  | 'dailyBudget'
  | 'targetAudience'
  | 'creative'
  | 'status'
  | 'excludedPublishers';
type Audience = CampaignBody['targetAudience'];

/** The label and text of each setting; undefined if unset. A new field does not compile until it is here or in the type above. */
const facts: Record<Exclude<keyof NewCampaign, Elsewhere>, (campaign: CampaignBody) => Fact | null> = {
  bidStrategy: ({ bidStrategy }) => ['Bid strategy', STRATEGIES[bidStrategy]?.[0] ?? label(bidStrategy)],
  maxCpb: ({ maxCpb }) => ['Maximum bid', `${formatUsd(maxCpb, 3)} per 1,000`],
  targetCpa: ({ targetCpa }) => (targetCpa === null ? null : ['Target CPA', formatUsd(targetCpa)]),
  frequencyCap: ({ frequencyCap: cap }) =>
    cap && ['Limit per conversation', `${counted(cap.impressions, 'impression')}${cap.per === 'day' ? ' a day' : ''}`],
  // During a rollout, the previous version responds without it.
  conversionWindowDays: ({ conversionWindowDays: days }) =>
    days === undefined ? null : ['Conversion window', counted(days, 'day')],
  startDate: ({ startDate }) => (startDate === null ? null : ['Starts', <Day key="day" at={startDate} />]),
  endDate: ({ endDate }) => (endDate === null ? null : ['Ends', <Day key="day" at={endDate} />]),
};
type Fact = [name: string, value: ComponentChild];

const nameOf = (type: 'region' | 'language', code: string): string =>
  new Intl.DisplayNames('en', { type }).of(code) ?? code;

/** The audience's lists by name. */
const lists: Record<Exclude<keyof Audience | keyof Audience['demographics'], 'demographics'>, List> = {
  keywords: ['Keywords', ({ keywords }) => keywords],
  interests: ['Interests', ({ demographics }) => demographics.interests],
  excludedKeywords: ['Excluded keywords', ({ excludedKeywords }) => excludedKeywords],
  countries: ['Countries', ({ countries }) => countries.map((code) => nameOf('region', code))],
  languages: ['Languages', ({ languages }) => languages.map((code) => nameOf('language', code))],
  categories: ['Categories', ({ categories }) => categories],
  ageRange: ['Age range (for your records)', ({ demographics: { ageRange } }) => (ageRange === null ? [] : [ageRange])],
};
type List = [name: string, words: (audience: Audience) => readonly string[]];

export const CampaignSettings = ({ campaign }: { campaign: CampaignBody }) => (
  <section class="card" aria-label="Settings">
    <h2>Settings</h2>
    {Object.values(lists).map(([name, words]) => (
      <Words key={name} name={name} words={words(campaign.targetAudience)} />
    ))}
    <ExcludedPublishers campaign={campaign} />
    <dl class="facts">
      {Object.values(facts).map((toFact) => {
        const [name, value] = toFact(campaign) ?? [];
        return (
          name && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          )
        );
      })}
    </dl>
  </section>
);

/** During a rollout, the previous version responds without the field. */
function ExcludedPublishers({ campaign: { id, excludedPublishers = [] } }: { campaign: CampaignBody }) {
  const publishers = usePublishers(excludedPublishers.length > 0 ? id : undefined);
  const names = new Map(publishers.map(({ code, name }) => [code, name]));
  return (
    <Words
      name="Excluded publishers"
      words={excludedPublishers}
      nameOf={(id) => names.get(id) ?? nameUnknownPublisher(id)}
    />
  );
}

interface WordsProps {
  name: string;
  words: readonly string[];
  /** What a word is called on the page. */
  nameOf?(word: string): string;
}

const Words = ({ name, words, nameOf = (word) => word }: WordsProps) =>
  words.length === 0 ? null : (
    <>
      <h3>{name}</h3>
      <ul class="words">
        {words.map((word) => (
          <li key={word} dir="auto">
            {nameOf(word)}
          </li>
        ))}
      </ul>
    </>
  );
