import { createContext, useContext } from 'react';
import type { Session } from './session.ts';

const context = createContext<Session | undefined>(undefined);

export const SessionProvider = context.Provider;

/** The session that the page is in. Throws Error outside of SessionGate. */
export function useSession(): Session {
  const session = useContext(context);
  if (session === undefined) throw new Error('There is no session outside of SessionGate');
  return session;
}
