import type { Caller } from '../api/contract.ts';

/** Who makes a request, once authenticated: everything is read and written on behalf of `ownerId`. */
export type Principal = { ownerId: string; caller: Caller };
