import type { Adapter, AdapterPayload } from 'oidc-provider';

/** `expiresAt` is Unix milliseconds. */
type Stored = { payload: AdapterPayload; expiresAt: number };

/** In-memory storage of the provider: one adapter per model. */
export function memoryAdapters(): (model: string) => Adapter {
  const all = new Map<string, Stored>();
  return (model) => {
    const keyOf = (id: string) => `${model} ${id}`;
    const find = (id: string) => {
      const stored = all.get(keyOf(id));
      return stored !== undefined && stored.expiresAt > Date.now() ? stored.payload : undefined;
    };
    const findWhere = (matches: (payload: AdapterPayload) => boolean) =>
      [...all].find(([key, { payload }]) => key.startsWith(`${model} `) && matches(payload))?.[1].payload;
    return {
      upsert: async (id, payload, expiresInSeconds) => {
        all.set(keyOf(id), {
          payload,
          expiresAt: Date.now() + (expiresInSeconds ?? Number.POSITIVE_INFINITY) * 1000,
        });
      },
      find: async (id) => find(id),
      findByUid: async (uid) => findWhere((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => findWhere((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const payload = find(id);
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => {
        all.delete(keyOf(id));
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of all) if (payload.grantId === grantId) all.delete(key);
      },
    };
  };
}
