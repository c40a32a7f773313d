import { Time } from '../parts/time.tsx';
import { counted, formatUsd, label } from '../words.ts';
import type { CampaignBody } from './bodies.ts';

const STRATEGIES: Readonly<Record<CampaignBody['bidStrategy'], string>> = {
  auto: 'Automatic: up to the highest bid, by relevance and pace',
  manual: 'Always the highest bid',
  maximize_clicks: 'More where a click is likely',
  target_cpa: 'By what a conversion is worth',
};

/** What a campaign is set to. */
export function CampaignSettings({ campaign }: { campaign: CampaignBody }) {
  const { targetAudience: audience, bidStrategy, maxCpb, targetCpa, frequencyCap, startDate, endDate } = campaign;
  return (
    <section class="card" aria-label="Settings">
      <h2>Settings</h2>
      <Words name="Keywords" words={audience.keywords} />
      <Words name="Interests" words={audience.demographics.interests} />
      <Words name="Never beside" words={audience.excludedKeywords} />
      <Words name="Countries" words={audience.countries} />
      <Words name="Languages" words={audience.languages} />
      <Words name="Categories" words={audience.categories} />
      <dl class="facts">
        <div>
          <dt>Bidding</dt>
          <dd>{STRATEGIES[bidStrategy] ?? label(bidStrategy)}</dd>
        </div>
        <div>
          <dt>Highest bid</dt>
          <dd>{formatUsd(maxCpb, 3)} per 1,000</dd>
        </div>
        {targetCpa !== null && (
          <div>
            <dt>A conversion is worth</dt>
            <dd>{formatUsd(targetCpa)}</dd>
          </div>
        )}
        {frequencyCap && (
          <div>
            <dt>Shown at most</dt>
            <dd>
              {counted(frequencyCap.impressions, 'time')} {frequencyCap.per === 'day' ? 'a day' : 'in a conversation'}
            </dd>
          </div>
        )}
        {startDate && (
          <div>
            <dt>Starts</dt>
            <dd>
              <Time at={startDate} />
            </dd>
          </div>
        )}
        {endDate && (
          <div>
            <dt>Ends</dt>
            <dd>
              <Time at={endDate} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

const Words = ({ name, words }: { name: string; words: readonly string[] }) =>
  words.length === 0 ? null : (
    <>
      <h3>{name}</h3>
      <ul class="words">
        {words.map((word) => (
          <li key={word} dir="auto">
            {word}
          </li>
        ))}
      </ul>
    </>
  );
