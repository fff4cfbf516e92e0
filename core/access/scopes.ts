/** What an API key can be allowed to do: each scope with what it allows, for people. */
export const scopes = {
  'jobs:read': 'Read jobs, their results and logs, and usage',
  'jobs:write': 'Submit, cancel, retry and delete jobs',
  uploads: 'Upload files as inputs of jobs',
  presets: 'Create presets, and publish and retire their versions',
  settings: 'Read and change the settings, and test the default webhook',
  deliveries: 'Read and repeat webhook deliveries',
  storage: 'Manage storage providers',
  keys: 'Create keys that can do no more than this one, and revoke them',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopes;

export const allScopes = Object.keys(scopes) as Scope[];

/** The scopes of a key that names none. */
export const defaultScopes: Scope[] = allScopes.filter((scope) => scope !== 'keys' && scope !== 'storage');
