/** What a job may ask: `fast` cuts whatever can be cut, `standard` what would take long in one piece. */
export const speeds = ['standard', 'fast'] as const;

export type Speed = (typeof speeds)[number];
