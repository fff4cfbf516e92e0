const advice: Readonly<Record<string, string>> = {
  CredentialsProviderError:
    'There are no credentials of AWS: set AWS_PROFILE, or sign in with "aws sso login".',
  ExpiredToken: 'The credentials of AWS have expired: sign in again.',
  ExpiredTokenException: 'The credentials of AWS have expired: sign in again.',
  UnrecognizedClientException:
    'AWS does not know these credentials: are they of another partition, or deleted?',
  AccessDeniedException:
    'These credentials may not read the quotas: allow them lambda:GetAccountSettings and servicequotas:ListServiceQuotas.',
};

/** Why the quotas could not be read, as a sentence that says what to do; that of AWS itself where none is known. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message === 'Region is missing') {
    return 'No region is known: set "region" of the stage in cdk.json, or AWS_REGION.';
  }
  const known = advice[error.name];
  return known === undefined ? error.message : `${known} (${error.message})`;
}
