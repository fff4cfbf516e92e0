/** How the program ends: the one table, which docs/cli.md shows. */
export const exitCodes = {
  ok: { code: 0, meaning: 'Done.' },
  unsuccessful: {
    code: 1,
    meaning:
      'A job that was waited for or watched did not complete, or the webhook test was not taken by its target.',
  },
  usage: {
    code: 2,
    meaning:
      'Wrong arguments, options, recipe parameters or environment; or the service refuses the request as invalid.',
  },
  denied: { code: 3, meaning: 'The key is wrong or revoked (401), or may not do this (403).' },
  conflict: {
    code: 4,
    meaning: 'There is no such job or key (404), or its state does not allow this (409).',
  },
  unavailable: {
    code: 5,
    meaning: 'The service or the network is unavailable, or the service asks to slow down: try again later.',
  },
  file: { code: 6, meaning: 'A file on this machine cannot be read or written, or is there already.' },
  fault: { code: 7, meaning: 'A fault of this program.' },
  interrupted: { code: 130, meaning: 'Ended by Ctrl-C or a signal.' },
} as const satisfies Record<string, { code: number; meaning: string }>;

export type ExitName = keyof typeof exitCodes;
