import { randomUUID } from 'node:crypto';
import { localAudience, localIssuer } from '@media-jobs/local-stage/identity';
import { aWebServer } from '@media-jobs/testing/web-server';
import { buildDashboard } from '../../../lib/build/build-dashboard.ts';
import { aTokenIssuer } from '../../builders/http/session-tokens.ts';
import { aRunningStage } from '../../builders/stage/running-stage.ts';

/** A user of a stage with their own jobs and settings. */
export type Customer = { apiKey: string; sessionToken: string };

/** The local stage with its dashboard and an identity provider of the test. */
export async function aConformingStage(environment: Record<string, string> = {}) {
  const provider = aTokenIssuer();
  const identity = await aWebServer((_, response) => response.end(JSON.stringify(provider.jwks)));
  const { stage } = await aRunningStage({
    environment: { OIDC_JWKS_URI: `${identity.origin}/jwks`, ...environment },
    dashboardDirectory: await buildDashboard(),
  });
  const { baseUrl } = stage;
  return {
    baseUrl,
    /** A new customer with a session and a key. */
    async aCustomer(): Promise<Customer> {
      const claims = { iss: localIssuer, aud: localAudience, sub: randomUUID() };
      const sessionToken = provider.token(claims);
      const made = await fetch(`${baseUrl}/api/v1/keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'the suite' }),
      });
      const { key: apiKey } = (await made.json()) as { key: string };
      return { apiKey, sessionToken };
    },
  };
}

export type ConformingStage = Awaited<ReturnType<typeof aConformingStage>>;
