import type { DashboardConfig } from '@media-jobs/core/api';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthProvider } from 'react-oidc-context';
import { ApiProvider } from './api/api-context.tsx';
import { createApi } from './api/create-api.ts';
import { createDashboardRouter } from './router.tsx';
import { createSession, restoreLocation } from './session/session.ts';
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
