/** Terms that the dashboard links to their place in the documentation, which is served beside it. */
export const documentedTerms = {
  CRF: 'recipes#quality-of-the-defaults',
  VMAF: 'recipes#quality-of-the-defaults',
  batches: 'batches',
  watches: 'watches',
  scopes: 'api#give-a-key-only-what-it-needs',
  'trust policies': 'storage#amazon-s3-by-a-role',
  signatures: 'webhooks#handle-the-event',
} as const;

export type DocumentedTerm = keyof typeof documentedTerms;
