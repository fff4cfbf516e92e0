/** Parts that do not make the file that one pass would have made; its message says why, to the owner of the job. */
export class JoinMismatchError extends Error {
  override readonly name = 'JoinMismatchError';
}
