import type { Identity } from '../session.ts';

/** Whose key and campaigns the page works with, to be looked at and changed. */
export function WhoAmI({ identity, onChange }: { identity: Identity | null; onChange(chosen: Identity): void }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    onChange({ apiKey: String(data.get('apiKey')).trim(), advertiser: String(data.get('advertiser')).trim() });
  };
  return (
    <details class="who" open={identity === null}>
      <summary>Who am I?</summary>
      <form onSubmit={submit}>
        <label>
          Publisher’s API key
          <input name="apiKey" required autocomplete="off" spellcheck={false} defaultValue={identity?.apiKey ?? ''} />
        </label>
        <label>
          Advertiser’s user id
          <input
            name="advertiser"
            required
            autocomplete="off"
            spellcheck={false}
            defaultValue={identity?.advertiser ?? ''}
          />
        </label>
        <button type="submit">Use these</button>
      </form>
    </details>
  );
}
