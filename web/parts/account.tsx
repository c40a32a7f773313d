import { useEffect, useRef } from 'preact/hooks';
import type { Visitor } from '../session.ts';

interface AccountProps {
  visitor: Visitor;
  /** Demo users. Undefined if visitors sign in. */
  users: readonly string[];
  onBecome(user: string): void;
  onSignOut(): void;
}

/** Closes an open menu on Escape, and when the visitor goes on elsewhere. */
function useClosing() {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (menu.current?.open && target instanceof Node && !menu.current.contains(target)) menu.current.open = false;
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, []);
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !menu.current?.open) return;
    close();
    menu.current.querySelector('summary')?.focus();
  };
  return { menu, close, onKeyDown };
}

/** The menu of the visitor: what concerns the whole account, and the demo users to choose from or a way to sign out. */
export function AccountMenu({ visitor, users, onBecome, onSignOut }: AccountProps) {
  const { menu, close, onKeyDown } = useClosing();
  return (
    <details class="account" ref={menu} onKeyDown={onKeyDown}>
      <summary aria-label={`Account: ${visitor.user}`}>
        <span>{visitor.user}</span>
      </summary>
      <div class="menu">
        <a href="/statements" onClick={close}>
          Statements
        </a>
        <a href="/activity" onClick={close}>
          Activity
        </a>
        {visitor.kind === 'demo' ? (
          <label>
            <span>User</span>
            <select
              aria-label="User"
              value={visitor.user}
              onChange={({ currentTarget }) => {
                const { value } = currentTarget;
                currentTarget.value = visitor.user; // until the switch is confirmed
                close();
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
          <button type="button" onClick={onSignOut}>
            Sign out
          </button>
        )}
      </div>
    </details>
  );
}
