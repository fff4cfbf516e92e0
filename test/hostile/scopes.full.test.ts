// @module-tag requests
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { allScopes, type Scope } from '../../core/access/scopes.ts';
import type { Contract } from '../../core/api/contract.ts';
import { contracts } from '../../core/api/registry.ts';
import { anApiKeyOf } from '../builders/stage/an-api-key.ts';
import type { Answer } from '../builders/stage/tenants.ts';
import { aClosedStage, type ClosedStage } from './closed-stage.ts';

const declared: readonly Contract[] = contracts;
const authenticated = declared.filter(({ callers }) => callers.length > 0);

let world: ClosedStage;
const keys = new Map<Scope, string>();
beforeAll(async () => {
  world = await aClosedStage();
  for (const scope of allScopes) {
    const key = await anApiKeyOf(world.stage, world.alice.ownerId, { name: scope, scopes: [scope] });
    keys.set(scope, key);
  }
});

/** A request that changes nothing: its id is unknown, and its body has a field that no route has. */
function callWith(credential: string, { method, path, body }: Contract): Promise<Answer> {
  const target = path.replace('{id}', randomUUID());
  return world.sendAs(credential)(target, { method, ...(body && { body: { unknownField: true } }) });
}

const forbidden = (message: string) => ({
  status: 403,
  body: { error: { code: 'FORBIDDEN', message, retryable: false } },
});

describe('a key with a single scope', () => {
  it.each(authenticated.map((contract) => [contract.id, contract] as const))(
    'gets through to %s only with the scope of the route',
    async (_, contract) => {
      const { callers, scope } = contract;
      for (const [granted, key] of keys) {
        const answer = await callWith(key, contract);
        if (!callers.includes('key')) {
          expect(answer).toMatchObject(forbidden('An API key cannot do this: sign in to the dashboard.'));
        } else if (scope === 'any' || scope === granted) {
          expect([200, 400, 404], `${granted}: ${answer.text}`).toContain(answer.status);
        } else {
          expect(answer).toMatchObject(forbidden(`This API key does not have the scope ${scope}.`));
        }
      }
    },
  );

  it('cannot create a key with another scope, a session token in its place, or a key of another owner', async () => {
    const send = world.sendAs(keys.get('keys') ?? '');
    for (const scopes of allScopes.filter((scope) => scope !== 'keys').map((scope) => [scope, 'keys'])) {
      const answer = await send('/api/v1/keys', { method: 'POST', body: { name: 'more', scopes } });
      expect(answer).toMatchObject({
        status: 403,
        body: {
          error: {
            details: [{ path: 'scopes', message: `The key that creates this one lacks the scope ${scopes[0]}` }],
          },
        },
      });
    }
    for (const body of [{ ownerId: world.bob.ownerId }, { parentId: null }, { parentHash: '' }]) {
      const answer = await send('/api/v1/keys', { method: 'POST', body: { name: 'more', scopes: ['keys'], ...body } });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    }
  });
});
