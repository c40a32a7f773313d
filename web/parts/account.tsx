import type { Visitor } from '../session.ts';

interface AccountProps {
  visitor: Visitor;
  /** Demo users. Undefined if visitors sign in. */
  users: readonly string[];
  onBecome(user: string): void;
  onSignOut(): void;
}

/** The demo users to choose from, or the signed-in user. */
export const AccountMenu = ({ visitor, users, onBecome, onSignOut }: AccountProps) =>
  visitor.kind === 'demo' ? (
    <label class="account">
      <span>User</span>
      <select
        aria-label="User"
        value={visitor.user}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          currentTarget.value = visitor.user; // until the switch is confirmed
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
