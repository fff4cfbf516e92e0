import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { limitExceeded } from '../../core/access/owner-limits.ts';
import {
  type createWebhookEndpointContract,
  type deleteWebhookEndpointContract,
  endpointNotFoundMessage,
  type listWebhookEndpointsContract,
  type updateWebhookEndpointContract,
} from '../../core/api/webhook-endpoints.ts';
import { retryConflicts } from '../../core/async.ts';
import { AppError } from '../../core/errors.ts';
import { type ReserveIdDeps, replayed, reserveId } from '../../core/idempotency.ts';
import { assertAllowedUrl, type UrlRules } from '../../core/net/check-url.ts';
import {
  endpointId,
  maxWebhookEndpoints,
  type SettingsTable,
  type WebhookEndpoint,
} from '../../core/settings/owner-settings.ts';
import { newSigningSecret } from '../../core/webhooks/signature.ts';

export type WebhookEndpointsDeps = ReserveIdDeps & {
  settings: SettingsTable;
  randomBytes: (size: number) => Uint8Array;
  webhookUrlRules: UrlRules;
};

type WriteDeps = Pick<WebhookEndpointsDeps, 'settings' | 'webhookUrlRules'>;

export function listWebhookEndpoints({ settings }: WriteDeps): RouteApp<typeof listWebhookEndpointsContract> {
  return async ({ principal: { ownerId } }) => {
    const webhookEndpoints = await endpointsOf(settings, ownerId);
    return { status: 200, body: { webhookEndpoints: webhookEndpoints.map(viewEndpoint) } };
  };
}

/** Adds an endpoint, whose secret is in this answer only. A replay replaces the secret, which may be lost. */
export function createWebhookEndpoint(deps: WebhookEndpointsDeps): RouteApp<typeof createWebhookEndpointContract> {
  const { settings, randomBytes, webhookUrlRules } = deps;
  return async ({ body: { disabled = false, ...filters }, rawBody, headers, principal: { ownerId } }) => {
    assertAllowedUrl(filters.url, 'url', webhookUrlRules);
    const keyed = { ownerId, idempotencyKey: headers['idempotency-key'], request: { createWebhookEndpoint: rawBody } };
    const reserved = await reserveId(deps, keyed, async ({ id }) =>
      assertRoom(await endpointsOf(settings, ownerId), endpointId(id)),
    );
    const [id, secret] = [endpointId(reserved.id), newSigningSecret(randomBytes)];
    const created = { id, ...filters, disabled, createdAt: reserved.createdAt.toISOString(), secret };
    const endpoint = await change(settings, ownerId, (endpoints) => {
      assertRoom(endpoints, id);
      const before = endpoints.find((one) => one.id === id);
      const stored = { ...created, ...before, secret };
      return { list: before === undefined ? [...endpoints, stored] : replaced(endpoints, stored), result: stored };
    });
    return { status: 201, ...replayed(reserved), body: { ...viewEndpoint(endpoint), secret } };
  };
}

export function updateWebhookEndpoint(deps: WriteDeps): RouteApp<typeof updateWebhookEndpointContract> {
  return async ({ body, params: { id }, principal: { ownerId } }) => {
    if (body.url !== undefined) assertAllowedUrl(body.url, 'url', deps.webhookUrlRules);
    const endpoint = await change(deps.settings, ownerId, (endpoints) => {
      const stored = changed(find(endpoints, id), body);
      return { list: replaced(endpoints, stored), result: stored };
    });
    return { status: 200, body: viewEndpoint(endpoint) };
  };
}

export function deleteWebhookEndpoint({ settings }: WriteDeps): RouteApp<typeof deleteWebhookEndpointContract> {
  return async ({ params: { id }, principal: { ownerId } }) => {
    let removed: WebhookEndpoint | undefined;
    await change(settings, ownerId, (endpoints) => {
      // The SDK repeats a write whose response was lost, and the endpoint is gone then.
      removed ??= find(endpoints, id);
      return { list: endpoints.filter((one) => one.id !== id), result: removed };
    });
    return { status: 204 };
  };
}

type Change = { [Name in 'url' | 'disabled' | 'states' | 'metadata']?: WebhookEndpoint[Name] | null };

/** A field that is left out stays, and a filter that is null goes. */
function changed(endpoint: WebhookEndpoint, change: Change): WebhookEndpoint {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const fields = Object.entries({ ...endpoint, ...Object.fromEntries(given) });
  return Object.fromEntries(fields.filter(([, value]) => value !== null)) as WebhookEndpoint;
}

/** Changes the endpoints of an owner, again if another change came in between. */
function change(
  settings: SettingsTable,
  ownerId: string,
  next: (endpoints: WebhookEndpoint[]) => { list: WebhookEndpoint[]; result: WebhookEndpoint },
): Promise<WebhookEndpoint> {
  return retryConflicts(async () => {
    const { webhookEndpoints: { version, list } = { version: 0, list: [] } } = await settings.get(ownerId);
    const after = next(list);
    return (await settings.replaceEndpoints(ownerId, { version: version + 1, list: after.list })) && after.result;
  });
}

async function endpointsOf(settings: SettingsTable, ownerId: string): Promise<WebhookEndpoint[]> {
  return (await settings.get(ownerId)).webhookEndpoints?.list ?? [];
}

function find(endpoints: readonly WebhookEndpoint[], id: string): WebhookEndpoint {
  const found = endpoints.find((one) => one.id === id);
  if (found === undefined) throw new AppError('NOT_FOUND', endpointNotFoundMessage);
  return found;
}

function replaced(endpoints: readonly WebhookEndpoint[], stored: WebhookEndpoint): WebhookEndpoint[] {
  return endpoints.map((one) => (one.id === stored.id ? stored : one));
}

/** One of the endpoints may be stored again. */
function assertRoom(endpoints: readonly WebhookEndpoint[], id: string): void {
  const use = endpoints.length;
  if (use < maxWebhookEndpoints || endpoints.some((one) => one.id === id)) return;
  throw limitExceeded(
    { limit: 'maxWebhookEndpoints', value: maxWebhookEndpoints, use },
    `There are ${use} webhook endpoints, which is the limit. Remove one first.`,
  );
}

function viewEndpoint({ secret: _, ...endpoint }: WebhookEndpoint) {
  return endpoint;
}
