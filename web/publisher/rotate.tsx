import { useState } from 'preact/hooks';
import { Confirm } from '../parts/dialog.tsx';
import { useAct } from '../parts/live.ts';
import { Time } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import type { KeyBody } from './data.ts';

interface RotateProps {
  apiKey: KeyBody;
  onRotated(secret: string): void;
  /** Reads the key anew. */
  again(): Promise<void>;
  onClose(): void;
}

/** Gives a key a new secret. */
export function Rotate({ apiKey: { id, name, oldKeyUntil }, onRotated, again, onClose }: RotateProps) {
  const { ads } = useSession();
  const { act, ...state } = useAct();
  const [revokeOld, setRevokeOld] = useState(false);
  const isRecent = oldKeyUntil !== null && Date.parse(oldKeyUntil) > Date.now();
  const rotate = () =>
    act(async () => {
      const { key } = await ads('POST /api/v1/auth/api-keys/{id}/rotate', { params: { id }, body: { revokeOld } });
      onRotated(key);
      onClose();
    }).finally(again); // whatever came of it: the answer alone may be lost
  return (
    <Confirm title={`Rotate ${name}?`} deed="Rotate" {...state} onConfirm={rotate} onClose={onClose}>
      <p>
        The key gets a new secret and keeps its report, settings and limits. The old one works for another 24 hours.
      </p>
      {isRecent && (
        <p class="problem" role="alert">
          It was rotated within the last 24 hours: the secret before that works until <Time at={oldKeyUntil} />, and
          ends at once when you rotate again. A chat that uses it still gets no ads from then on.
        </p>
      )}
      <div class="checks">
        <label>
          <input type="checkbox" checked={revokeOld} onChange={() => setRevokeOld(!revokeOld)} />
          <span>
            End the old one at once
            <small>Where somebody else may know it.</small>
          </span>
        </label>
      </div>
    </Confirm>
  );
}
