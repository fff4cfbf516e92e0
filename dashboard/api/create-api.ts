import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../client/api-error.ts';
import { type Client, createClient } from '../../client/client.ts';
import type { DashboardConfig } from '../../core/access/dashboard-config.ts';
import type { Session } from '../session/session.ts';

const maxRetries = 2;

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
      queries: { staleTime: 5_000, retry: (count, error) => count < maxRetries && isRetryable(error) },
    },
  });
  return { client, queries };
}

function isRetryable(error: Error): boolean {
  return error instanceof ApiError && error.retryable;
}
