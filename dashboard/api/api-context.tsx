import { createContext, useContext } from 'react';
import type { Client } from '../../client/client.ts';

export type Api = {
  client: Client;
  /** Where the API is, for the lines that a user copies. */
  origin: string;
};

const context = createContext<Api | undefined>(undefined);

export const ApiProvider = context.Provider;

/** The API, as the user who is signed in. */
export function useApi(): Api {
  const api = useContext(context);
  if (api === undefined) throw new Error('There is no API outside of ApiProvider');
  return api;
}
