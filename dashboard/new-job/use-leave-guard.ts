import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

type Leaving = { question: string; cancel: () => void };

/** Asks before the page is left while something goes on that would be lost, and ends it where it is left anyway. */
export function useLeaveGuard(goesOn: boolean, { question, cancel }: Leaving): void {
  useBlocker({
    shouldBlockFn: () => !window.confirm(question),
    enableBeforeUnload: true,
    disabled: !goesOn,
  });
  const last = useRef(cancel);
  last.current = cancel;
  useEffect(() => () => last.current(), []);
}
