import { localAudience, localIssuer } from '@media-jobs/local-stage/identity';
import { afterUse } from '@media-jobs/testing/after-use';
import { aWebServer } from '@media-jobs/testing/web-server';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { allScopes } from '../../../core/access/scopes.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import { withStageTable } from '../../../lib/local/stage-table.ts';
import type { LocalStageOptions } from '../../../lib/local/start-stage.ts';
import { localOwner } from '../../../lib/settings/local-owner.ts';
import { aTokenIssuer } from '../http/session-tokens.ts';
import { anApiKeyOf } from './an-api-key.ts';
import { pauseWorkers } from './pause-workers.ts';
import { aRunningStage } from './running-stage.ts';

export type Sending = {
  method?: string;
  headers?: Record<string, string>;
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown;
};

export type Answer = { status: number; headers: Headers; text: string; body: unknown };

/** An owner with an API key that has every scope, and a session token. */
export type Tenant = { ownerId: string; key: string; token: string };

/**
 * A stage with two unrelated owners, whose workers are paused and whose session tokens this test signs.
 */
export async function aStageWithTenants(
  options: Partial<Pick<LocalStageOptions, 'assemblyDirectory' | 'environment'>> = {},
) {
  const provider = aTokenIssuer();
  const server = await aWebServer((_, response) => response.end(JSON.stringify(provider.jwks)));
  const receiveFailed = Promise.withResolvers<void>();
  const log: string[] = [];
  const { stage } = await aRunningStage({
    ...options,
    environment: { OIDC_JWKS_URI: `${server.origin}/jwks`, ...options.environment },
    log: (_, line) => {
      log.push(line);
      if (line.startsWith('ReceiveMessage failed')) receiveFailed.resolve();
    },
  });
  afterUse(await pauseWorkers(stage, receiveFailed.promise));

  const aTenant = async (subject: string): Promise<Tenant> => {
    const ownerId = localOwner(subject);
    const key = await anApiKeyOf(stage, ownerId, { name: subject, scopes: allScopes });
    return { ownerId, key, token: provider.token({ iss: localIssuer, aud: localAudience, sub: subject }) };
  };

  const send = async (path: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Answer> => {
    const response = await fetch(stage.baseUrl + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  const sendAs =
    (credential: string) =>
    (path: string, sending: Sending = {}) =>
      send(path, { ...sending, headers: { authorization: `Bearer ${credential}`, ...sending.headers } });

  return {
    stage,
    /** What the functions and the stage have logged so far. */
    log,
    provider,
    /** How often the provider's JWKS was fetched so far. */
    keyFetches: () => server.requests.length,
    aTenant,
    alice: await aTenant('alice'),
    bob: await aTenant('bob'),
    send,
    sendAs,
    /** Writes a record directly to the table. */
    store: (job: JobRecord) =>
      withStageTable(stage, (client, name) => jobTable(client, name).write({ job, guard: { absent: true } })),
    stored: (ref: { ownerId: string; jobId: string }) =>
      withStageTable(stage, (client, name) => jobTable(client, name).get(ref)),
  };
}

export type StageWithTenants = Awaited<ReturnType<typeof aStageWithTenants>>;
