import { ErrorResponse } from 'oidc-client-ts';
import type { ErrorContext } from 'react-oidc-context';

/** What a provider says that was only asked whether signing in is needed: it is. */
const expected = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]);

export const providerUnreachable =
  'The identity provider cannot be reached. Check your connection, and try again.';

/** What keeps someone from signing in; nothing where all that is known is that they have to. */
export function signInErrorMessage(error: ErrorContext | undefined): string | undefined {
  const answer = answerIn(error);
  return answer !== undefined && expected.has(answer.error ?? '') ? undefined : error?.message;
}

/** Where the user was when the provider was asked, as the provider gives it back with its refusal. */
export function locationBeforeSignIn(error: ErrorContext | undefined): unknown {
  return answerIn(error)?.state;
}

function answerIn(error: ErrorContext | undefined): ErrorResponse | undefined {
  return error?.innerError instanceof ErrorResponse ? error.innerError : undefined;
}
