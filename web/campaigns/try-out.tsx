import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAct } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody } from './bodies.ts';
import { parseConversation } from './conversation.ts';
import { CountrySelect } from './country-select.tsx';
import { Match } from './match.tsx';
import { usePreview } from './preview.ts';
import { Reach } from './reach.tsx';

interface TryOutProps {
  campaign: CampaignBody;
  onSaved(saved: CampaignBody): void;
}

/** Tries the campaign on a conversation before it serves. */
export default function TryOut({ campaign: { id, targetAudience }, onSaved }: TryOutProps) {
  const { ads, toasts } = useSession();
  const { preview, isBusy, problem, run } = usePreview();
  const adding = useAct();
  const [tried, setTried] = useState('');
  const { keywords, excludedKeywords, countries } = targetAudience;
  const [chosen, choose] = useState<string | null>(null);
  // Every real bid has a country, so the preview needs one too.
  const country = chosen ?? countries[0] ?? 'US';
  const ask = (text: string, countryCode = country) =>
    run({ campaignId: id, countryCode, ...(text && { messages: parseConversation(text) }) });
  // Load the reach at the start, and again when the keywords change.
  useEffect(() => void ask(tried), [keywords.join('\n')]);
  const tryIt = (text: string) => {
    setTried(text);
    ask(text);
  };
  const move = (to: string) => {
    choose(to);
    if (tried) ask(tried, to);
  };
  const add = (keyword: string) =>
    adding.act(async () => {
      const body = { targetAudience: { keywords: [...keywords, keyword] } };
      onSaved(await ads('PATCH /api/v1/campaigns/{id}', { params: { id }, body }));
      toasts.show(`Keyword added: ${keyword}`);
    });
  return (
    <>
      <section class="card" aria-label="Try a conversation">
        <h2>Try a conversation</h2>
        <TryForm isBusy={isBusy} onTry={tryIt}>
          <CountrySelect targeted={countries} value={country} onChange={move} />
        </TryForm>
        <Problem text={(tried ? problem : null) ?? adding.problem} />
        <div role="status">
          {preview?.match && <Match match={preview.match} messages={preview.messages} excluded={excludedKeywords} />}
        </div>
      </section>
      <section class="card" aria-label="Reach">
        <h2>Reach</h2>
        {preview && <Reach reach={preview.reach} keywords={keywords} onAdd={add} />}
        {!preview && problem && (
          <>
            <Problem text={tried ? 'We could not estimate the reach.' : problem} />
            <button type="button" aria-disabled={isBusy} onClick={() => ask(tried)}>
              Try again
            </button>
          </>
        )}
        {!preview && !problem && <Skeleton of="the reach" />}
      </section>
    </>
  );
}

interface TryFormProps {
  isBusy: boolean;
  /** Called with a conversation that is not empty. */
  onTry(text: string): void;
  children: ComponentChildren;
}

/** Input for a pasted or typed conversation. */
function TryForm({ isBusy, onTry, children }: TryFormProps) {
  const [text, setText] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (parseConversation(text).length > 0) onTry(text);
  };
  return (
    <form onSubmit={submit}>
      <textarea
        id="try"
        rows={4}
        dir="auto"
        aria-label="Conversation"
        placeholder={
          'User: My feet hurt when I run.\nAssistant: Worn-out shoes are often the cause.\nUser: Which ones should I buy?'
        }
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="actions after">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          Try it
        </button>
        {children}
        <small>Nothing is stored or spent.</small>
      </div>
    </form>
  );
}
