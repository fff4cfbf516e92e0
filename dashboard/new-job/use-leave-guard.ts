import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

type LeaveOptions = { question: string; cancel: () => void };

/** Asks for confirmation before the user leaves the page while `isActive`. Calls `cancel` when the page is left. */
export function useLeaveGuard(isActive: boolean, { question, cancel }: LeaveOptions): void {
  useBlocker({
    shouldBlockFn: () => !window.confirm(question),
    enableBeforeUnload: true,
    disabled: !isActive,
  });
  const cancelRef = useRef(cancel);
  cancelRef.current = cancel;
  useEffect(() => () => cancelRef.current(), []);
}
