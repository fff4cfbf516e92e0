import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthProvider } from 'react-oidc-context';
import type { DashboardConfig } from '../core/access/dashboard-config.ts';
import { ApiProvider } from './api/api-context.tsx';
import { createApi } from './api/create-api.ts';
import { createRouterOfPages } from './router.tsx';
import { createSession, returnTo } from './session/session.ts';
import { SessionGate } from './session/session-gate.tsx';
import { Themed } from './shell/themed.tsx';

function start(config: DashboardConfig) {
  const session = createSession(config);
  return { session, ...createApi(config, session), router: createRouterOfPages() };
}

/** The whole dashboard: who is signed in, and the pages for them. */
export function App({ config }: { config: DashboardConfig }) {
  const [{ session, client, queries, router }] = useState(() => start(config));
  return (
    <Themed>
      <AuthProvider userManager={session.users} onSigninCallback={(user) => returnTo(user?.state)}>
        <SessionGate session={session}>
          <ApiProvider value={{ client, origin: config.apiOrigin ?? window.location.origin }}>
            <QueryClientProvider client={queries}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </ApiProvider>
        </SessionGate>
      </AuthProvider>
    </Themed>
  );
}
