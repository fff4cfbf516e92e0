import type { Principal } from '../access/authentication.ts';
import { AppError } from '../errors.ts';
import type { Contract } from './contract.ts';

/** Checks that a route admits this kind of caller and, for a key, its scopes. Throws AppError FORBIDDEN. */
export function authorize({ callers, scope }: Pick<Contract, 'callers' | 'scope'>, principal: Principal): void {
  if (principal.caller === 'session') {
    if (!callers.includes('session')) throw new AppError('FORBIDDEN', 'Only an API key can do this.');
    return;
  }
  if (!callers.includes('key') || scope === undefined) {
    throw new AppError('FORBIDDEN', 'An API key cannot do this: sign in to the dashboard.');
  }
  if (scope === 'any' || principal.key.scopes.includes(scope)) return;
  throw new AppError('FORBIDDEN', `This API key does not have the scope ${scope}.`, {
    details: [{ path: 'scope', message: scope }],
  });
}
