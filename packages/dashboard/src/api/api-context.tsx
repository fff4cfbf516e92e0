import type { Client } from '@media-jobs/client';
import { createContext, useContext } from 'react';

export type Api = {
  client: Client;
  /** Origin of the API, for code snippets. */
  origin: string;
  /** The name of the stage. */
  stage?: string | undefined;
};

const context = createContext<Api | undefined>(undefined);

export const ApiProvider = context.Provider;

/** The API client of the signed-in user. @throws Error outside ApiProvider */
export function useApi(): Api {
  const api = useContext(context);
  if (api === undefined) throw new Error('useApi must be called inside ApiProvider');
  return api;
}
