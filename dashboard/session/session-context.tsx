import { createContext, useContext } from 'react';
import type { Session } from './session.ts';

const context = createContext<Session | undefined>(undefined);

export const SessionProvider = context.Provider;

/** @throws Error outside SessionGate */
export function useSession(): Session {
  const session = useContext(context);
  if (session === undefined) throw new Error('useSession must be called inside SessionGate');
  return session;
}
