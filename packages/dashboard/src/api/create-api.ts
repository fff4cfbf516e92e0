import { ApiError, type Client, createClient } from '@media-jobs/client';
import type { DashboardConfig } from '@media-jobs/core/api';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';

const maxRetries = 2;

/** Without a network a request fails, which is shown. By default it would wait silently, and an action happen much later. */
const always = { networkMode: 'always' } as const;

/** The typed client with the session's token, and its query cache. A 401 ends the session. */
export function createApi(
  { apiOrigin = '' }: DashboardConfig,
  session: Session,
): { client: Client; queries: QueryClient } {
  const client = createClient({ baseUrl: apiOrigin, token: session.token });
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) session.rejectToken();
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        ...always,
        staleTime: 5_000,
        refetchOnReconnect: true,
        retry: (count, error) => count < maxRetries && error instanceof ApiError && error.retryable,
      },
      mutations: always,
    },
  });
  return { client, queries };
}
