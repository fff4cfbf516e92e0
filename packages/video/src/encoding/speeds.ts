/** `fast` encodes every video in chunks that can be; `standard` only one whose single pass would take long. */
export const speeds = ['standard', 'fast'] as const;

export type Speed = (typeof speeds)[number];
