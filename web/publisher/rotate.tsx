import { useState } from 'preact/hooks';
import { Confirm } from '../parts/dialog.tsx';
import { useAct } from '../parts/live.ts';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import type { KeyBody } from './data.ts';

interface RotateProps {
  apiKey: KeyBody;
  onRotated(secret: string): void;
  /** Reloads the key. */
  again(): Promise<void>;
  onClose(): void;
}

/** Maximum number of earlier secrets that the service keeps valid. */
const MAX_EARLIER = 5;

/** Describes which earlier secrets still work, and for how long. @param until expiry of each secret, latest first */
function EarlierSecrets({ until }: { until: readonly string[] }) {
  const time = <Time at={until.at(-1)!} />;
  if (until.length === 1) return <>The secret before it works until {time}.</>;
  if (until.length < MAX_EARLIER) {
    return (
      <>
        {until.length} earlier secrets still work, the oldest until {time}.
      </>
    );
  }
  return (
    <>
      {until.length} earlier secrets still work, and there may be no more: until {time} you can only revoke them all.
    </>
  );
}

export function Rotate({ apiKey, onRotated, again, onClose }: RotateProps) {
  // During a rollout, the previous version responds without them.
  const { id, name, oldKeysUntil = [] } = apiKey;
  const { ads, toasts } = useSession();
  const { act, ...state } = useAct();
  const [revokeOld, setRevokeOld] = useState(false);
  const rotate = () =>
    act(async () => {
      const { key } = await ads('POST /api/v1/auth/api-keys/{id}/rotate', { params: { id }, body: { revokeOld } });
      onRotated(key);
      onClose();
      toasts.show('Key rotated');
    }).finally(again); // even after a failure: the rotation may have succeeded, and only its response was lost
  return (
    <Confirm title={`Rotate ${name}?`} deed="Rotate secret" {...state} onConfirm={rotate} onClose={onClose}>
      <p>
        The key gets a new secret and keeps its report, settings, and limits. The current secret works for another 24
        hours.
      </p>
      {oldKeysUntil.length > 0 && (
        <p role="status">
          It was rotated within the last 24 hours. <EarlierSecrets until={oldKeysUntil} />
        </p>
      )}
      <div class="checks">
        <label>
          <input type="checkbox" checked={revokeOld} onChange={() => setRevokeOld(!revokeOld)} />
          <span>
            Revoke all earlier secrets now
            <small>Do this if someone else may know a secret. Chats that still use one get no more ads.</small>
          </span>
        </label>
      </div>
    </Confirm>
  );
}
