import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Failure } from '../errors.ts';
import { Problem } from './problem.tsx';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
}

/** A modal dialog. It keeps the keyboard focus until it is closed. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    const element = dialog.current!;
    const opener = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      // Close it before it is removed, or the focus would be lost.
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={name} onCancel={onClose}>
      <h2 id={name}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  /** The button's label, which names the action. */
  deed: string;
  isBusy: boolean;
  problem: Failure | null;
  onConfirm(): void;
  onClose(): void;
  children: ComponentChildren;
}

/** Asks for confirmation before an action that cannot be undone. */
export const Confirm = ({ title, deed, isBusy, problem, onConfirm, onClose, children }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    {children}
    <Problem text={problem} />
    <div class="actions end">
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      <button type="button" class="danger" aria-disabled={isBusy} onClick={onConfirm}>
        {deed}
      </button>
    </div>
  </Dialog>
);
