import { useState } from 'preact/hooks';
import { Confirm } from '../parts/dialog.tsx';
import { useAct } from '../parts/live.ts';
import { useSession } from '../session.ts';
import type { KeyBody } from './data.ts';

interface RotateProps {
  apiKey: KeyBody;
  onRotated(secret: string): void;
  onClose(): void;
}

/** Gives a key a new secret. */
export function Rotate({ apiKey: { id, name }, onRotated, onClose }: RotateProps) {
  const { ads } = useSession();
  const { act, ...state } = useAct();
  const [revokeOld, setRevokeOld] = useState(false);
  const rotate = () =>
    act(async () => {
      const { key } = await ads('POST /api/v1/auth/api-keys/{id}/rotate', { params: { id }, body: { revokeOld } });
      onRotated(key);
      onClose();
    });
  return (
    <Confirm title={`Rotate ${name}?`} deed="Rotate" {...state} onConfirm={rotate} onClose={onClose}>
      <p>
        The key gets a new secret and keeps its report, settings and limits. The old one works for another 24 hours.
      </p>
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
