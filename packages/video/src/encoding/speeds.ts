/**
 * `fast` encodes every video in chunks that can be; `standard` only one whose single pass would take long. `economy` encodes
 * like `standard`, on a machine that several jobs share and that may be taken away.
 */
export const speeds = ['standard', 'fast', 'economy'] as const;

export type Speed = (typeof speeds)[number];
