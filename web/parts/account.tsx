import type { Visitor } from '../session.ts';

interface AccountProps {
  visitor: Visitor;
  /** Users of the demo; none where people sign in. */
  users: readonly string[];
  onBecome(user: string): void;
  onSignOut(): void;
}

/** Who uses the page: one of the demo's users to choose, or somebody who has signed in. */
export const AccountMenu = ({ visitor, users, onBecome, onSignOut }: AccountProps) =>
  visitor.kind === 'demo' ? (
    <label class="account">
      <span>User</span>
      <select
        aria-label="User"
        value={visitor.user}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          currentTarget.value = visitor.user; // until it is so
          onBecome(value);
        }}
      >
        {users.map((user) => (
          <option key={user} value={user}>
            {user}
          </option>
        ))}
      </select>
    </label>
  ) : (
    <div class="account">
      <span>{visitor.user}</span>
      <button type="button" class="small" onClick={onSignOut}>
        Sign out
      </button>
    </div>
  );
