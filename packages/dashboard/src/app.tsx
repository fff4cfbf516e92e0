import { ApiError, type Client, createClient } from '@media-jobs/client';
import type { DashboardConfig } from '@media-jobs/core/api';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthProvider } from 'react-oidc-context';
import { ApiProvider } from './api/api-context.tsx';
import { createDashboardRouter } from './router.tsx';
import { createSession, restoreLocation, type Session } from './session/session.ts';
import { SessionGate } from './session/session-gate.tsx';
import { ThemeProvider } from './ui/theme-provider.tsx';

function start(config: DashboardConfig) {
  const session = createSession(config);
  return { session, ...createApi(config, session), router: createDashboardRouter() };
}

export function App({ config }: { config: DashboardConfig }) {
  const [{ session, client, queries, router }] = useState(() => start(config));
  return (
    <ThemeProvider>
      <AuthProvider userManager={session.userManager} onSigninCallback={(user) => restoreLocation(user?.state)}>
        <SessionGate session={session}>
          <ApiProvider value={{ client, origin: config.apiOrigin ?? window.location.origin, stage: config.stage }}>
            <QueryClientProvider client={queries}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </ApiProvider>
        </SessionGate>
      </AuthProvider>
    </ThemeProvider>
  );
}

const maxRetries = 2;

/** Without a network a request fails, which is shown. By default it would wait silently, and an action happen much later. */
const always = { networkMode: 'always' } as const;

/** The typed client with the session's token, and its query cache. A 401 ends the session. */
function createApi({ apiOrigin = '' }: DashboardConfig, session: Session): { client: Client; queries: QueryClient } {
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
