/** Exit codes of the program. docs/cli.md is generated from this table. */
export const exitCodes = {
  ok: { code: 0, meaning: 'Success.' },
  unsuccessful: {
    code: 1,
    meaning:
      'A job that was waited for or watched did not complete, or the test of a webhook or storage provider failed.',
  },
  usage: {
    code: 2,
    meaning:
      'Invalid arguments, options, recipe parameters or environment variables, or the service rejected the request as invalid.',
  },
  denied: { code: 3, meaning: 'The key is wrong or revoked (401), or not allowed to do this (403).' },
  conflict: {
    code: 4,
    meaning:
      'There is no such job, key or storage provider (404), its state does not allow this (409), a limit is reached that waiting does not lift (429), or the storage rejects a file.',
  },
  unavailable: {
    code: 5,
    meaning: 'The service or the network is unavailable, or the service throttles: try again later.',
  },
  file: { code: 6, meaning: 'A local file cannot be read or written, or already exists.' },
  fault: { code: 7, meaning: 'A bug in this program.' },
  interrupted: { code: 130, meaning: 'Ended by Ctrl-C or a signal.' },
} as const satisfies Record<string, { code: number; meaning: string }>;

export type ExitName = keyof typeof exitCodes;
