import { ErrorResponse } from 'oidc-client-ts';
import type { ErrorContext } from 'react-oidc-context';

/** Answers to a silent sign-in that mean only that the user has to sign in. */
const signInRequired = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]);

export const providerUnreachable = 'The identity provider cannot be reached. Check your connection and try again.';

/** The message of a sign-in error; undefined if the user only has to sign in. */
export function signInErrorMessage(error: ErrorContext | undefined): string | undefined {
  const response = errorResponse(error);
  return response !== undefined && signInRequired.has(response.error ?? '') ? undefined : error?.message;
}

/** The path that the user came from, which the provider returns with its error response. */
export function locationBeforeSignIn(error: ErrorContext | undefined): unknown {
  return errorResponse(error)?.state;
}

function errorResponse(error: ErrorContext | undefined): ErrorResponse | undefined {
  return error?.innerError instanceof ErrorResponse ? error.innerError : undefined;
}
